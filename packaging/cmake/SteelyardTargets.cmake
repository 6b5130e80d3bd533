# SPDX-License-Identifier: Apache-2.0
# steelyard_add_library(core SOURCES a.cpp b.cpp [DEPENDS model fmt::fmt] [PRIVATE_DEPENDS hwloc] [UNITY])
#   One static library per folder; the folder is the dependency level (tests/architecture checks the includes).
#   A short name in DEPENDS stands for another folder of the engine. UNITY: with STEELYARD_UNITY_BUILD its files are
#   compiled several at a time; names in anonymous namespaces must then differ between its files.
function(_steelyard_resolve out)
  set(result "")
  foreach(name IN LISTS ARGN)
    if(TARGET steelyard_${name})
      list(APPEND result steelyard_${name})
    else()
      list(APPEND result ${name})
    endif()
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

function(steelyard_add_library name)
  cmake_parse_arguments(ARG "UNITY" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(steelyard_${name} STATIC ${ARG_SOURCES})
  if(ARG_UNITY AND STEELYARD_UNITY_BUILD)
    set_target_properties(steelyard_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
  target_include_directories(steelyard_${name} PUBLIC "${CMAKE_SOURCE_DIR}")
  _steelyard_resolve(public ${ARG_DEPENDS})
  _steelyard_resolve(private ${ARG_PRIVATE_DEPENDS})
  target_link_libraries(steelyard_${name} PUBLIC ${public} PRIVATE ${private} steelyard_flags)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE folder)
  list(JOIN public " " public)
  list(JOIN private " " private)
  set_property(GLOBAL APPEND_STRING PROPERTY STEELYARD_LIBRARIES "steelyard_${name}\t${folder}\t${public}\t${private}\n")
endfunction()

# Writes one line per library (target, folder, public and private dependencies), from which tests/architecture derives
# the allowed includes of each folder.
function(steelyard_write_libraries file)
  get_property(libraries GLOBAL PROPERTY STEELYARD_LIBRARIES)
  file(CONFIGURE OUTPUT "${file}" CONTENT "${libraries}" @ONLY)
endfunction()

# With STEELYARD_UNITY_BUILD, compiles the files of a test program four at a time: most of the compile time of a test file
# is spent on the headers of GoogleTest and of the tested code. Names in anonymous namespaces must differ between the files.
# -O1 compiles them in five sixths of the time; what they test keeps its -O2.
function(steelyard_unite_tests target)
  if(STEELYARD_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# steelyard_add_test(hardware SOURCES ... DEPENDS hardware [LABELS unit] [LOCK resource])
#   One GoogleTest program per tested folder, named test_<name>. Tests with the same lock never run concurrently.
function(steelyard_add_test name)
  cmake_parse_arguments(ARG "" "LOCK" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  add_executable(test_${name} ${ARG_SOURCES})
  steelyard_unite_tests(test_${name})
  target_include_directories(test_${name} PRIVATE "${CMAKE_SOURCE_DIR}")
  _steelyard_resolve(depends ${ARG_DEPENDS})
  target_link_libraries(test_${name} PRIVATE ${depends} GTest::gmock GTest::gtest_main steelyard_flags)
  target_compile_definitions(test_${name} PRIVATE
    STEELYARD_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" STEELYARD_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  include(GoogleTest)
  gtest_discover_tests(test_${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600 RESOURCE_LOCK "${ARG_LOCK}")
endfunction()
