// SPDX-License-Identifier: Apache-2.0
// A file mapped into memory for reading. Immutable; any thread. Mapped for the lifetime of the object; if another
// program truncates the file, access raises SIGBUS, as with any mapping.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace steelyard::model::onnx {

class MappedFile {
public:
    // NotFound, PermissionDenied, IoFailed; InvalidArgument if it is not a regular file.
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
    // `location` relative to `folder`, and confined to it: "..", absolute paths and symbolic links are refused by the
    // system (openat2).
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> openBeneath(const std::string& folder,
                                                                               const std::string& location);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::string_view bytes() const { return m_bytes; }

private:
    MappedFile() = default;
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> map(int descriptor, const std::string& subject);
    std::string_view m_bytes;
};

}  // namespace steelyard::model::onnx
