// SPDX-License-Identifier: Apache-2.0
// Matrix products with cuBLASLt, which is column-major: a row-major C = A B is its C' = B' A' on the same memory.
#include <cublasLt.h>
#include <fmt/format.h>

#include <array>

#include "engine/compute/cuda/libraries/libraries.h"
#include "engine/compute/cuda/libraries/loaded_library.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

constexpr const char* kName = "libcublasLt.so.13";
constexpr int kMostCandidates = 8;

struct Api {
    LoadedLibrary library{kName};
    decltype(&::cublasLtCreate) create = nullptr;
    decltype(&::cublasLtDestroy) destroy = nullptr;
    decltype(&::cublasLtGetVersion) version = nullptr;
    decltype(&::cublasLtGetStatusString) statusString = nullptr;
    decltype(&::cublasLtMatmul) matmul = nullptr;
    decltype(&::cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
    decltype(&::cublasLtMatmulAlgoConfigGetAttribute) algoAttribute = nullptr;
    decltype(&::cublasLtMatmulDescCreate) descCreate = nullptr;
    decltype(&::cublasLtMatmulDescDestroy) descDestroy = nullptr;
    decltype(&::cublasLtMatmulDescSetAttribute) descSet = nullptr;
    decltype(&::cublasLtMatrixLayoutCreate) layoutCreate = nullptr;
    decltype(&::cublasLtMatrixLayoutDestroy) layoutDestroy = nullptr;
    decltype(&::cublasLtMatrixLayoutSetAttribute) layoutSet = nullptr;
    decltype(&::cublasLtMatmulPreferenceCreate) preferenceCreate = nullptr;
    decltype(&::cublasLtMatmulPreferenceDestroy) preferenceDestroy = nullptr;
    decltype(&::cublasLtMatmulPreferenceSetAttribute) preferenceSet = nullptr;

    Api() {
        library.find("cublasLtCreate", create);
        library.find("cublasLtDestroy", destroy);
        library.find("cublasLtGetVersion", version);
        library.find("cublasLtGetStatusString", statusString);
        library.find("cublasLtMatmul", matmul);
        library.find("cublasLtMatmulAlgoGetHeuristic", heuristic);
        library.find("cublasLtMatmulAlgoConfigGetAttribute", algoAttribute);
        library.find("cublasLtMatmulDescCreate", descCreate);
        library.find("cublasLtMatmulDescDestroy", descDestroy);
        library.find("cublasLtMatmulDescSetAttribute", descSet);
        library.find("cublasLtMatrixLayoutCreate", layoutCreate);
        library.find("cublasLtMatrixLayoutDestroy", layoutDestroy);
        library.find("cublasLtMatrixLayoutSetAttribute", layoutSet);
        library.find("cublasLtMatmulPreferenceCreate", preferenceCreate);
        library.find("cublasLtMatmulPreferenceDestroy", preferenceDestroy);
        library.find("cublasLtMatmulPreferenceSetAttribute", preferenceSet);
    }
};

const Api& api() {
    static const Api instance;
    return instance;
}

Result<void> checked(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return {};
    const auto kind = status == CUBLAS_STATUS_NOT_SUPPORTED ? ErrorKind::Unsupported : ErrorKind::Internal;
    return fail(kind, "cublas", Message(fmt::format("{}: {}", call, api().statusString(status))));
}

cudaDataType_t typeOf(ElementType type) {
    if (type == ElementType::Bf16) return CUDA_R_16BF;
    return type == ElementType::F16 ? CUDA_R_16F : CUDA_R_32F;
}

cublasLtEpilogue_t epilogueOf(MatrixProduct::Epilogue epilogue) {
    using E = MatrixProduct::Epilogue;
    switch (epilogue) {
        case E::None:
            return CUBLASLT_EPILOGUE_DEFAULT;
        case E::Bias:
            return CUBLASLT_EPILOGUE_BIAS;
        case E::BiasRelu:
            return CUBLASLT_EPILOGUE_RELU_BIAS;
        case E::BiasGeluTanh:
            return CUBLASLT_EPILOGUE_GELU_BIAS;  // the tanh approximation
    }
    return CUBLASLT_EPILOGUE_DEFAULT;
}

class ProductCall final : public LibraryCall {
public:
    ProductCall(cublasLtHandle_t handle, const MatrixProduct& product) : m_handle(handle), m_product(product) {}
    ~ProductCall() override {
        for (auto* layout : {m_left, m_right, m_result})
            if (layout != nullptr) api().layoutDestroy(layout);
        if (m_desc != nullptr) api().descDestroy(m_desc);
    }

    Result<void> prepare(std::int64_t workspaceLimit) {
        const auto& p = m_product;
        const auto compute =
            p.operandType == ElementType::F32 && p.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
        if (auto ok = checked(api().descCreate(&m_desc, compute, CUDA_R_32F), "cublasLtMatmulDescCreate"); !ok)
            return ok;
        const std::int32_t left = p.transposeB ? CUBLAS_OP_T : CUBLAS_OP_N;
        const std::int32_t right = p.transposeA ? CUBLAS_OP_T : CUBLAS_OP_N;
        const auto epilogue = epilogueOf(p.epilogue);
        if (auto ok = set(CUBLASLT_MATMUL_DESC_TRANSA, left); !ok) return ok;
        if (auto ok = set(CUBLASLT_MATMUL_DESC_TRANSB, right); !ok) return ok;
        if (auto ok = set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue); !ok) return ok;
        const auto bRows = p.transposeB ? p.columns : p.depth, bColumns = p.transposeB ? p.depth : p.columns;
        const auto aRows = p.transposeA ? p.depth : p.rows, aColumns = p.transposeA ? p.rows : p.depth;
        if (auto ok = makeLayout(m_left, p.operandType, bColumns, bRows, p.bStride, p.bBatchStride); !ok) return ok;
        if (auto ok = makeLayout(m_right, p.operandType, aColumns, aRows, p.aStride, p.aBatchStride); !ok) return ok;
        if (auto ok = makeLayout(m_result, p.resultType, p.columns, p.rows, p.cStride, p.cBatchStride); !ok) return ok;
        return findCandidates(workspaceLimit);
    }

    std::span<const Candidate> candidates() const override { return m_candidates; }

    Result<void> run(std::size_t candidate, std::span<void* const> operands, void* workspace, Stream stream) override {
        if (m_product.epilogue != MatrixProduct::Epilogue::None)
            if (auto ok = set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands[3]); !ok) return ok;
        const float alpha = 1, beta = m_product.accumulate ? 1.0F : 0.0F;
        const auto bytes = static_cast<std::size_t>(m_candidates[candidate].workspaceBytes);
        return checked(api().matmul(m_handle, m_desc, &alpha, operands[1], m_left, operands[0], m_right, &beta,
                                    operands[2], m_result, operands[2], m_result, &m_algorithms[candidate], workspace,
                                    bytes, static_cast<cudaStream_t>(stream)),
                       "cublasLtMatmul");
    }

private:
    template <class T>
    Result<void> set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
        return checked(api().descSet(m_desc, attribute, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
    }

    Result<void> makeLayout(cublasLtMatrixLayout_t& layout, ElementType type, std::int64_t rows, std::int64_t columns,
                            std::int64_t stride, std::int64_t batchStride) {
        const auto made = api().layoutCreate(&layout, typeOf(type), static_cast<std::uint64_t>(rows),
                                             static_cast<std::uint64_t>(columns), stride);
        if (auto ok = checked(made, "cublasLtMatrixLayoutCreate"); !ok || m_product.batch == 1) return ok;
        const auto count = static_cast<std::int32_t>(m_product.batch);
        const auto counted = api().layoutSet(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count);
        if (auto ok = checked(counted, "cublasLtMatrixLayoutSetAttribute"); !ok) return ok;
        return checked(
            api().layoutSet(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &batchStride, sizeof batchStride),
            "cublasLtMatrixLayoutSetAttribute");
    }

    Result<void> findCandidates(std::int64_t workspaceLimit) {
        cublasLtMatmulPreference_t preference = nullptr;
        if (auto ok = checked(api().preferenceCreate(&preference), "cublasLtMatmulPreferenceCreate"); !ok) return ok;
        const auto setPreference = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
            static_cast<void>(api().preferenceSet(preference, attribute, &value, sizeof value));
        };
        setPreference(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(workspaceLimit));
        setPreference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, static_cast<std::uint32_t>(m_product.bAlignment));
        setPreference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, static_cast<std::uint32_t>(m_product.aAlignment));
        setPreference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, static_cast<std::uint32_t>(m_product.cAlignment));
        setPreference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, static_cast<std::uint32_t>(m_product.cAlignment));
        std::array<cublasLtMatmulHeuristicResult_t, kMostCandidates> results{};
        int count = 0;
        const auto asked = api().heuristic(m_handle, m_desc, m_left, m_right, m_result, m_result, preference,
                                           kMostCandidates, results.data(), &count);
        api().preferenceDestroy(preference);
        if (auto ok = checked(asked, "cublasLtMatmulAlgoGetHeuristic"); !ok) return ok;
        for (int i = 0; i < count; ++i) {
            const auto& result = results[static_cast<std::size_t>(i)];
            if (result.state != CUBLAS_STATUS_SUCCESS) continue;
            m_algorithms.push_back(result.algo);
            m_candidates.push_back({nameOf(result.algo, i), static_cast<std::int64_t>(result.workspaceSize)});
        }
        if (m_candidates.empty()) return fail(ErrorKind::Unsupported, "cublas", messages::noAlgorithm());
        return {};
    }

    // The heuristic's order distinguishes candidates with the same algorithm but different tiles.
    static std::string nameOf(const cublasLtMatmulAlgo_t& algorithm, int order) {
        std::int32_t id = 0;
        std::size_t written = 0;
        static_cast<void>(api().algoAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID, &id, sizeof id, &written));
        return fmt::format("cublaslt:{}.{}", id, order);
    }

    cublasLtHandle_t m_handle;
    MatrixProduct m_product;
    cublasLtMatmulDesc_t m_desc = nullptr;
    cublasLtMatrixLayout_t m_left = nullptr, m_right = nullptr, m_result = nullptr;
    std::vector<cublasLtMatmulAlgo_t> m_algorithms;
    std::vector<Candidate> m_candidates;
};

class Cublas final : public MatrixLibrary {
public:
    explicit Cublas(cublasLtHandle_t handle) : m_handle(handle) {}
    ~Cublas() override { api().destroy(m_handle); }
    std::string version() const override { return cublasVersion().value_or(std::string()); }
    Result<std::unique_ptr<LibraryCall>> prepare(const MatrixProduct& product, std::int64_t workspaceLimit) override {
        auto call = std::make_unique<ProductCall>(m_handle, product);
        TRY(call->prepare(workspaceLimit));
        return call;
    }

private:
    cublasLtHandle_t m_handle;
};

Result<void> opened() {
    if (api().library.isOpen()) return {};
    return fail(ErrorKind::BackendUnavailable, kName, api().library.why());
}

}  // namespace

Result<std::string> cublasVersion() {
    TRY(opened());
    const auto version = api().version();  // 10000 x major + 100 x minor + patch
    return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

Result<std::unique_ptr<MatrixLibrary>> openCublas(Stream) {
    TRY(opened());
    cublasLtHandle_t handle = nullptr;
    TRY(checked(api().create(&handle), "cublasLtCreate"));
    return std::make_unique<Cublas>(handle);
}

}  // namespace steelyard::compute::cuda
