# SPDX-License-Identifier: Apache-2.0
# steelyard_add_gui_test(charts SOURCES ... [DEPENDS ui] [LABELS slow])
#   One GoogleTest program per tested folder of ui/, named test_ui_<name>, run without a display (label gui). The program
#   has a main() that creates a QApplication: tests/ui/gui_main.cpp.
function(steelyard_add_gui_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LABELS" ${ARGN})
  set(target test_ui_${name})
  add_executable(${target} ${ARG_SOURCES} "${CMAKE_SOURCE_DIR}/tests/ui/gui_main.cpp")
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  steelyard_unite_tests(${target})
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE steelyard_ui ${ARG_DEPENDS} Qt6::Test GTest::gmock GTest::gtest
                        steelyard_flags)
  target_compile_definitions(${target} PRIVATE
    STEELYARD_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" STEELYARD_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    STEELYARD_SCREENSHOTS="${CMAKE_BINARY_DIR}/screenshots")
  # One label: a list would end the properties that gtest_discover_tests takes. -L and -LE search in it.
  set(label gui)
  if(ARG_LABELS)
    set(label gui-${ARG_LABELS})
  endif()
  include(GoogleTest)
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST TEST_PREFIX "ui_${name}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label} TIMEOUT 300 ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_ACCESSIBILITY=1;LC_ALL=C.UTF-8")
endfunction()
