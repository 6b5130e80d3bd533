// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/cpu/cpu_topology.h"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

struct TopologyDeleter {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, TopologyDeleter>;

struct BitmapDeleter {
    void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, BitmapDeleter>;

constexpr const char* kRootVariable = "HWLOC_FSROOT";

Bitmap bitmapOf(const std::vector<int>& cpus) {
    Bitmap bitmap(hwloc_bitmap_alloc());
    for (int cpu : cpus) {
        if (cpu >= 0) hwloc_bitmap_set(bitmap.get(), static_cast<unsigned>(cpu));
    }
    return bitmap;
}

std::vector<int> listOf(hwloc_const_bitmap_t bitmap) {
    std::vector<int> cpus;
    // The sets of a topology are finite; the weight of an infinite one is -1.
    if (hwloc_bitmap_weight(bitmap) < 0) return cpus;
    for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0; cpu = hwloc_bitmap_next(bitmap, cpu)) cpus.push_back(cpu);
    return cpus;
}

bool selectSource(hwloc_topology_t topology, const TopologySource& source) {
    switch (source.kind) {
        case TopologySource::Kind::Synthetic:
            return hwloc_topology_set_synthetic(topology, source.text.c_str()) == 0;
        case TopologySource::Kind::Xml:
            if (source.text.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
            return hwloc_topology_set_xmlbuffer(topology, source.text.c_str(),
                                                static_cast<int>(source.text.size()) + 1) == 0;
        case TopologySource::Kind::FileRoot:
            return ::setenv(kRootVariable, source.text.c_str(), 1) == 0;
        case TopologySource::Kind::ThisSystem:
            return true;
    }
    return false;
}

Result<Topology> load(const TopologySource& source) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) return fail(ErrorKind::Internal, "hwloc", messages::cannotBeInitialised());
    Topology topology(raw);
    // Includes disallowed objects: the whole machine is shown, and the allowed part comes from the affinity mask.
    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
    errno = 0;
    const bool loaded = selectSource(raw, source) && hwloc_topology_load(raw) == 0;
    const int reason = errno;
    if (source.kind == TopologySource::Kind::FileRoot) ::unsetenv(kRootVariable);
    if (!loaded) {
        return fail(source.kind == TopologySource::Kind::ThisSystem ? ErrorKind::Internal : ErrorKind::InvalidArgument,
                    "topology", reason != 0 ? Message(std::strerror(reason)) : messages::topologyUnreadable());
    }
    for (std::size_t rank = 0; rank < source.cpuKinds.size(); ++rank) {
        const Bitmap cpus = bitmapOf(source.cpuKinds[rank]);
        hwloc_cpukinds_register(raw, cpus.get(), static_cast<int>(rank), 0, nullptr, 0);
    }
    return topology;
}

std::optional<int> countOf(hwloc_topology_t topology, hwloc_obj_type_t type) {
    const int count = hwloc_get_nbobjs_by_type(topology, type);
    return count > 0 ? std::optional<int>(count) : std::nullopt;
}

std::optional<int> coresWithin(hwloc_topology_t topology, hwloc_const_bitmap_t cpus) {
    const auto all = countOf(topology, HWLOC_OBJ_CORE);
    if (!all) return std::nullopt;
    int cores = 0;
    for (int i = 0; i < *all; ++i) {
        const hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(i));
        if (hwloc_bitmap_intersects(core->cpuset, cpus)) ++cores;
    }
    return cores;
}

// Kinds of cores ----------------------------------------------------------------------------------------------------

struct KindInfo {
    int rank = -1;  // -1: hwloc cannot order the kinds
    std::string type;
    std::optional<double> baseMhz;
    std::optional<double> maxMhz;
    Bitmap cpus;
};

std::vector<KindInfo> readKinds(hwloc_topology_t topology) {
    std::vector<KindInfo> kinds;
    const int count = hwloc_cpukinds_get_nr(topology, 0);
    for (int i = 0; i < count; ++i) {
        KindInfo kind;
        kind.cpus = Bitmap(hwloc_bitmap_alloc());
        unsigned infoCount = 0;
        hwloc_info_s* infos = nullptr;
        if (hwloc_cpukinds_get_info(topology, static_cast<unsigned>(i), kind.cpus.get(), &kind.rank, &infoCount, &infos,
                                    0) != 0) {
            continue;
        }
        for (unsigned j = 0; j < infoCount; ++j) {
            const std::string_view name = infos[j].name;
            if (name == "CoreType") kind.type = infos[j].value;
            if (name == "FrequencyBaseMHz") kind.baseMhz = parseReal(infos[j].value);
            if (name == "FrequencyMaxMHz") kind.maxMhz = parseReal(infos[j].value);
        }
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

std::string kindName(std::size_t index, std::size_t count) {
    if (count == 1) return "uniform";
    if (index + 1 == count) return "performance";
    if (count > 2 && index == 0) return "low-power efficiency";
    return count > 3 ? fmt::format("efficiency {}", index) : std::string("efficiency");
}

void describeKinds(hwloc_topology_t topology, TopologyReading& reading) {
    std::vector<KindInfo> kinds = readKinds(topology);
    const bool ranked = std::all_of(kinds.begin(), kinds.end(), [](const KindInfo& kind) { return kind.rank >= 0; });
    if (!kinds.empty()) {
        reading.baseMhz = kinds.back().baseMhz;
        reading.maxMhz = kinds.back().maxMhz;
    }
    if (kinds.size() < 2 || !ranked) {
        const hwloc_const_bitmap_t all = hwloc_topology_get_topology_cpuset(topology);
        reading.kinds.push_back({0, kindName(0, 1), reading.cores.value_or(reading.threads), listOf(all),
                                 ranked ? reading.maxMhz : std::nullopt});
        return;
    }
    std::sort(kinds.begin(), kinds.end(), [](const KindInfo& a, const KindInfo& b) { return a.rank < b.rank; });
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto cores = coresWithin(topology, kinds[i].cpus.get());
        auto cpus = listOf(kinds[i].cpus.get());
        const int count = cores.value_or(static_cast<int>(cpus.size()));
        reading.kinds.push_back({kinds[i].rank, kindName(i, kinds.size()), count, std::move(cpus), kinds[i].maxMhz});
    }
}

// Caches and memory -------------------------------------------------------------------------------------------------

const char* cacheTypeName(hwloc_obj_cache_type_t type) {
    if (type == HWLOC_OBJ_CACHE_DATA) return "data";
    if (type == HWLOC_OBJ_CACHE_INSTRUCTION) return "instruction";
    return "unified";
}

void describeCaches(hwloc_topology_t topology, TopologyReading& reading) {
    constexpr std::array kTypes = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L2ICACHE,
                                   HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L3ICACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
    for (const hwloc_obj_type_t type : kTypes) {
        // Grouped by size and sharing: a hybrid processor has several sizes per level.
        std::map<std::pair<std::int64_t, int>, int> groups;
        for (int i = 0; i < countOf(topology, type).value_or(0); ++i) {
            const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(i));
            if (cache->attr->cache.size == 0) continue;  // unknown size
            ++groups[{static_cast<std::int64_t>(cache->attr->cache.size), hwloc_bitmap_weight(cache->cpuset)}];
        }
        for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
            const hwloc_obj_t first = hwloc_get_obj_by_type(topology, type, 0);
            reading.caches.push_back({static_cast<int>(first->attr->cache.depth),
                                      cacheTypeName(first->attr->cache.type), group->first.first, group->second,
                                      group->first.second});
        }
    }
}

std::optional<std::int64_t> memoryOf(hwloc_obj_t node) {
    const auto bytes = node->attr->numanode.local_memory;
    if (bytes == 0 || bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(bytes);
}

void describeNuma(hwloc_topology_t topology, TopologyReading& reading) {
    for (int i = 0; i < countOf(topology, HWLOC_OBJ_NUMANODE).value_or(0); ++i) {
        const hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, static_cast<unsigned>(i));
        reading.numa.push_back({static_cast<int>(node->os_index), listOf(node->cpuset), memoryOf(node)});
    }
}

// The tree ----------------------------------------------------------------------------------------------------------

class TreeBuilder {
public:
    TreeBuilder(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, const std::vector<CpuKind>& kinds)
        : m_topology(topology), m_allowed(allowed) {
        if (kinds.size() < 2) return;
        for (const auto& kind : kinds) {
            for (int cpu : kind.cpus) m_rankOfCpu[cpu] = kind.efficiencyRank;
        }
    }

    TopologyNode build() {
        const hwloc_obj_t root = hwloc_get_root_obj(m_topology);
        TopologyNode machine = nodeFor(root, TopologyKind::Machine);
        machine.index = -1;
        machine.children = below(root);
        return machine;
    }

private:
    // The visible descendants of `object`. In hwloc NUMA nodes are memory children beside the normal ones; here the
    // first one becomes their parent.
    std::vector<TopologyNode> below(hwloc_obj_t object) {
        std::vector<TopologyNode> children;
        for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling)
            append(child, children);
        std::vector<TopologyNode> memories;
        for (hwloc_obj_t memory = object->memory_first_child; memory != nullptr; memory = memory->next_sibling) {
            appendMemory(memory, memories);
        }
        if (memories.empty()) return children;
        memories.front().children = std::move(children);
        return memories;
    }

    void append(hwloc_obj_t object, std::vector<TopologyNode>& siblings) {
        const auto kind = drawnAs(object);
        auto children = below(object);
        if (!kind) {
            siblings.insert(siblings.end(), std::make_move_iterator(children.begin()),
                            std::make_move_iterator(children.end()));
            return;
        }
        TopologyNode node = nodeFor(object, *kind);
        node.children = std::move(children);
        siblings.push_back(std::move(node));
    }

    void appendMemory(hwloc_obj_t object, std::vector<TopologyNode>& siblings) {
        if (object->type == HWLOC_OBJ_NUMANODE) {
            TopologyNode node = nodeFor(object, TopologyKind::Numa);
            node.bytes = memoryOf(object);
            siblings.push_back(std::move(node));
        }
        // Skips a memory-side cache.
        for (hwloc_obj_t child = object->memory_first_child; child != nullptr; child = child->next_sibling) {
            appendMemory(child, siblings);
        }
    }

    // Private caches of a core are listed but not drawn; only shared caches matter for a job.
    std::optional<TopologyKind> drawnAs(hwloc_obj_t object) const {
        if (object->type == HWLOC_OBJ_PACKAGE) return TopologyKind::Package;
        if (object->type == HWLOC_OBJ_CORE) return TopologyKind::Core;
        if (object->type == HWLOC_OBJ_PU) return TopologyKind::Thread;
        if (object->type == HWLOC_OBJ_L3CACHE) return TopologyKind::Cache;
        if (hwloc_obj_type_is_dcache(object->type) && coresWithin(m_topology, object->cpuset).value_or(0) > 1) {
            return TopologyKind::Cache;
        }
        return std::nullopt;
    }

    TopologyNode nodeFor(hwloc_obj_t object, TopologyKind kind) const {
        TopologyNode node;
        node.kind = kind;
        const bool numbered = object->os_index != HWLOC_UNKNOWN_INDEX && kind != TopologyKind::Cache;
        node.index = numbered ? static_cast<int>(object->os_index) : static_cast<int>(object->logical_index);
        node.allowed = hwloc_bitmap_intersects(object->cpuset, m_allowed) != 0;
        if (kind == TopologyKind::Cache) {
            node.cacheLevel = static_cast<int>(object->attr->cache.depth);
            if (object->attr->cache.size > 0) node.bytes = static_cast<std::int64_t>(object->attr->cache.size);
        }
        if (kind == TopologyKind::Core) {
            const auto rank = m_rankOfCpu.find(hwloc_bitmap_first(object->cpuset));
            if (rank != m_rankOfCpu.end()) node.efficiencyRank = rank->second;
        }
        return node;
    }

    hwloc_topology_t m_topology;
    hwloc_const_bitmap_t m_allowed;
    std::map<int, int> m_rankOfCpu;
};

std::string sourceName(TopologySource::Kind kind) {
    switch (kind) {
        case TopologySource::Kind::ThisSystem:
            return "hwloc";
        case TopologySource::Kind::Synthetic:
            return "hwloc (synthetic)";
        case TopologySource::Kind::Xml:
            return "hwloc (XML)";
        case TopologySource::Kind::FileRoot:
            return "hwloc (copied files)";
    }
    return "hwloc";
}

}  // namespace

Result<TopologyReading> readTopology(const TopologySource& source, const std::optional<std::vector<int>>& affinity) {
    ASSIGN(const auto loaded, load(source));
    const hwloc_topology_t topology = loaded.get();
    Bitmap allowed(hwloc_bitmap_dup(hwloc_topology_get_topology_cpuset(topology)));
    if (affinity) hwloc_bitmap_and(allowed.get(), allowed.get(), bitmapOf(*affinity).get());
    if (hwloc_bitmap_iszero(allowed.get())) {
        return fail(ErrorKind::InvalidArgument, "affinity mask", messages::noneInTopology());
    }

    TopologyReading reading;
    reading.source = sourceName(source.kind);
    reading.packages = countOf(topology, HWLOC_OBJ_PACKAGE);
    reading.cores = countOf(topology, HWLOC_OBJ_CORE);
    reading.threads = countOf(topology, HWLOC_OBJ_PU).value_or(0);
    reading.allowedCores = coresWithin(topology, allowed.get());
    reading.allowedCpus = hwloc_bitmap_weight(allowed.get());
    describeKinds(topology, reading);
    describeCaches(topology, reading);
    describeNuma(topology, reading);
    reading.tree = TreeBuilder(topology, allowed.get(), reading.kinds).build();
    return reading;
}

std::string describeTopology(const TopologySource& source) {
    const auto loaded = load(source);
    if (!loaded) return describe(loaded.error());
    std::array<char, 1024> text{};
    const auto flags = HWLOC_TOPOLOGY_EXPORT_SYNTHETIC_FLAG_NO_ATTRS;
    if (hwloc_topology_export_synthetic(loaded->get(), text.data(), text.size(), flags) < 0) {
        return "not symmetric";
    }
    return text.data();
}

}  // namespace steelyard::hardware
