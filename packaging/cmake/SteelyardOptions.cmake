# SPDX-License-Identifier: Apache-2.0
# Build options, and flags shared by all targets.
option(STEELYARD_BUILD_UI "Build the desktop program (needs Qt 6)" ON)
option(STEELYARD_BUILD_TESTS "Build the tests" ON)
option(STEELYARD_BUILD_FUZZERS "Build the libFuzzer programs of tests/fuzz (needs Clang)" OFF)
option(STEELYARD_UNITY_BUILD "Compile several files in one unit: a full build is faster, rebuilding one file is slower" OFF)
option(STEELYARD_QUICK_PROGRAMS "Compile ui/ and app/ with -O1, in four fifths of the time; the engine keeps its flags" OFF)
option(STEELYARD_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(STEELYARD_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")

# Imported targets are visible in all folders.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
# -g1: names in backtraces at a quarter of the size.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
if(STEELYARD_SANITIZE)
  # Compiles in little more than half of the time, with better backtraces.
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(steelyard_flags INTERFACE)
target_compile_options(steelyard_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers -Wnon-virtual-dtor -Woverloaded-virtual)
if(STEELYARD_WARNINGS_AS_ERRORS)
  target_compile_options(steelyard_flags INTERFACE -Werror)
endif()
# Release builds are hardened like Debian's packages: bounds-checked library calls, stack protection, control-flow
# protection, position-independent programs, read-only relocations.
include(CheckPIESupported)
check_pie_supported()
set(hardened "$<CONFIG:Release>")
set(hardened_cxx "$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>")
set(hardening -fstack-protector-strong -fstack-clash-protection -Wformat -Werror=format-security)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  list(APPEND hardening -fcf-protection)
endif()
add_compile_options("$<${hardened_cxx}:${hardening};-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.>")
# nvcc has its own -Werror; these flags go to the host compiler.
string(REPLACE ";" "," hardening_behind_nvcc "${hardening}")
add_compile_options("$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CUDA>>:-Xcompiler=${hardening_behind_nvcc}>")
add_compile_definitions("$<${hardened}:_FORTIFY_SOURCE=2>" "$<${hardened}:_GLIBCXX_ASSERTIONS>")
add_link_options("$<${hardened}:-Wl,-z,relro;-Wl,-z,now>")

if(STEELYARD_SANITIZE)
  add_compile_options(-fsanitize=${STEELYARD_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${STEELYARD_SANITIZE})
endif()
