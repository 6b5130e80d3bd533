// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/user_networks.h"

#include <fmt/format.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <system_error>

#include "engine/core/file_io.h"
#include "engine/core/messages/app.h"
#include "engine/model/onnx/onnx_workload.h"
#include "engine/model/resolve.h"

// A macro keeps lupdate from following the include: message lists that it first meets in a header are missing from the
// translations.
#define STEELYARD_CORE_MESSAGES "engine/core/messages/core.h"
#include STEELYARD_CORE_MESSAGES

namespace steelyard::desktop {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kLargestIndex = 4 << 20;  // bytes

// The path without options and hash.
std::string pathOf(const std::string& workload) {
    if (model::onnx::isOnnxName(workload)) {
        const auto name = model::onnx::parseOnnxName(workload);
        return name ? name->path : workload;
    }
    return workload.substr(0, workload.find(".json#") == std::string::npos ? std::string::npos : workload.rfind('#'));
}

// Expected id of an entry's workload: the file name for ONNX; for JSON the hash is only known after reading.
std::string idOf(const std::string& workload) {
    if (!model::onnx::isOnnxName(workload)) return workload;
    const auto name = model::onnx::parseOnnxName(workload);
    if (!name) return workload;
    const auto file = fs::path(name->path).filename().string() + name->optionsText;
    return name->hash.empty() ? file : file + "#" + name->hash;
}

bool isCalled(const UserNetwork& network, const std::string& id) {
    return idOf(network.workload) == id || id.starts_with(network.workload + "#");
}

// Worded for a list of networks.
Error problemOf(const UserNetwork& network, const Error& error) {
    const auto path = pathOf(network.workload);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return {ErrorKind::NotFound, path, app::messages::networkMissing(), {}, {}, {}};
    if (error.detail.id == "onnx.structure_changed" || error.detail.id == "model.file_changed")
        return {ErrorKind::InvalidArgument, path, app::messages::networkChanged(), {}, {}, {}};
    return error;
}

}  // namespace

fs::path UserNetworks::indexFile() const {
    return fs::path(m_folder.string() + ".json");
}

Result<std::vector<UserNetwork>> UserNetworks::all() const {
    std::vector<UserNetwork> networks;
    if (m_folder.empty()) return networks;
    std::error_code ignored;
    if (fs::exists(indexFile(), ignored)) {
        ASSIGN(const auto text, readFile(indexFile(), kLargestIndex));
        QJsonParseError damage;
        const auto root = QJsonDocument::fromJson(QByteArray::fromStdString(text), &damage).object();
        if (damage.error != QJsonParseError::NoError)
            return fail(ErrorKind::CorruptData, indexFile().string(), Message(damage.errorString().toStdString()));
        for (const auto& value : root.value(QLatin1String("networks")).toArray()) {
            const auto one = value.toObject();
            UserNetwork network{one.value(QLatin1String("name")).toString().toStdString(),
                                one.value(QLatin1String("workload")).toString().toStdString(),
                                one.value(QLatin1String("removed")).toBool()};
            if (!network.workload.empty()) networks.push_back(std::move(network));
        }
    }
    // Files copied by an earlier version, which had no list.
    std::vector<std::string> files;
    for (fs::directory_iterator entry(m_folder, ignored), end; !ignored && entry != end; entry.increment(ignored))
        if (entry->path().extension() == ".json") files.push_back(entry->path().string());
    std::sort(files.begin(), files.end());
    for (auto& file : files) {
        const bool known = std::any_of(networks.begin(), networks.end(),
                                       [&](const UserNetwork& one) { return pathOf(one.workload) == file; });
        if (!known) networks.push_back({{}, std::move(file), false});
    }
    return networks;
}

std::vector<UserNetwork> UserNetworks::entries() const {
    auto networks = all().value_or(std::vector<UserNetwork>());
    std::erase_if(networks, [](const UserNetwork& one) { return one.removed; });
    return networks;
}

std::vector<ListedNetwork> UserNetworks::list() const {
    std::vector<ListedNetwork> result;
    for (const auto& network : entries()) {
        auto workload = model::resolveWorkload(network.workload);
        if (!workload) {
            const auto title = network.name.empty() ? fs::path(pathOf(network.workload)).stem().string() : network.name;
            result.push_back({idOf(network.workload), title, Failure(problemOf(network, workload.error()))});
            continue;
        }
        if (!network.name.empty()) workload->title = network.name;
        auto id = workload->id, title = workload->title;
        result.push_back({std::move(id), std::move(title), std::move(workload)});
    }
    return result;
}

std::string UserNetworks::nameOf(const std::string& id) const {
    for (const auto& network : entries())
        if (isCalled(network, id)) return network.name;
    return {};
}

Result<void> UserNetworks::save(const std::vector<UserNetwork>& networks) const {
    QJsonArray list;
    for (const auto& network : networks) {
        QJsonObject one{{QStringLiteral("name"), QString::fromStdString(network.name)},
                        {QStringLiteral("workload"), QString::fromStdString(network.workload)}};
        if (network.removed) one.insert(QStringLiteral("removed"), true);
        list.append(one);
    }
    TRY(createPrivateFolders(m_folder));
    const auto text = QJsonDocument(QJsonObject{{QStringLiteral("networks"), list}}).toJson();
    return writeFileAtomically(indexFile(), text.toStdString());
}

// A copy in the folder under a unique name, or the file itself if it is already there.
Result<std::string> UserNetworks::copied(const fs::path& file, const std::string& name,
                                         const std::vector<UserNetwork>& networks) const {
    // A comma or parenthesis would end the name in a list of workloads.
    auto base = file.stem().string();
    std::replace_if(
        base.begin(), base.end(), [](char c) { return c == ',' || c == '(' || c == ')' || c == '#'; }, '_');
    TRY(createPrivateFolders(m_folder));
    const auto isAnothers = [&](const fs::path& path) {
        return std::any_of(networks.begin(), networks.end(), [&](const UserNetwork& one) {
            return pathOf(one.workload) == path.string() && one.name != name;
        });
    };
    auto copy = m_folder / (base + ".json");
    for (int number = 2; isAnothers(copy); ++number) copy = m_folder / fmt::format("{}_{}.json", base, number);
    std::error_code error;
    if (fs::equivalent(file, copy, error)) return copy.string();
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing, error);
    if (error) return fail(ErrorKind::IoFailed, copy.string(), Message(error.message()));
    return copy.string();
}

Result<std::string> UserNetworks::add(const std::string& name, const std::string& workload) const {
    if (m_folder.empty()) return fail(ErrorKind::Unsupported, workload, steelyard::messages::noUserFolder());
    ASSIGN(auto read, model::resolveWorkload(workload));
    const bool isOnnx = model::onnx::isOnnxName(workload);
    ASSIGN(auto networks, all());
    UserNetwork added{name.empty() ? read.title : name, model::onnx::locatedOnnxName(read.id), false};
    if (!isOnnx) {
        ASSIGN(added.workload, copied(pathOf(workload), added.name, networks));
        ASSIGN(read, model::resolveWorkload(added.workload));
    }
    if (model::splitWorkloads(added.workload) != std::vector{added.workload})
        return fail(ErrorKind::InvalidArgument, pathOf(workload), app::messages::pathNotListable());
    std::erase_if(networks, [&](const UserNetwork& one) {
        return one.name == added.name || (one.name.empty() && one.workload == added.workload) ||
               (isOnnx && one.workload == added.workload);
    });
    networks.insert(networks.begin(), added);
    TRY(save(networks));
    return read.id;
}

Result<void> UserNetworks::setRemoved(const std::string& id, bool removed) const {
    ASSIGN(auto networks, all());
    const auto found = std::find_if(networks.begin(), networks.end(), [&](const UserNetwork& one) {
        return one.removed != removed && isCalled(one, id);
    });
    if (found == networks.end()) return fail(ErrorKind::NotFound, id);
    found->removed = removed;
    return save(networks);
}

void UserNetworks::purge() const {
    auto networks = all();
    if (!networks) return;  // the error is reported when a network is added
    std::error_code ignored;
    const auto gone = std::erase_if(*networks, [&](const UserNetwork& one) {
        if (!one.removed) return false;
        const fs::path path = pathOf(one.workload);
        if (path.parent_path() == m_folder) fs::remove(path, ignored);
        return true;
    });
    if (gone > 0) (void)save(*networks);  // if this fails, it is retried at the next start
}

}  // namespace steelyard::desktop
