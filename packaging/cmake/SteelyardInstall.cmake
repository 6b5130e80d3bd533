# SPDX-License-Identifier: Apache-2.0
# What is installed where, and the packages made of it: steelyard (desktop) and steelyard-cli (no Qt).
include(GNUInstallDirs)
find_program(GZIP_PROGRAM gzip REQUIRED)

install(TARGETS steelyard-cli RUNTIME COMPONENT cli)
install(DIRECTORY resources/ DESTINATION ${CMAKE_INSTALL_DATADIR}/steelyard COMPONENT cli
  PATTERN "icons" EXCLUDE PATTERN "*.py" EXCLUDE PATTERN "*.qrc" EXCLUDE PATTERN "README.md" EXCLUDE)

# Documentation is compressed as Debian wants it: -9, without a time stamp.
function(steelyard_install_compressed source destination component)
  get_filename_component(name "${source}" NAME)
  set(packed "${CMAKE_BINARY_DIR}/packed/${component}/${name}.gz")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/packed/${component}")
  execute_process(COMMAND "${GZIP_PROGRAM}" -9nc "${CMAKE_SOURCE_DIR}/${source}" OUTPUT_FILE "${packed}" COMMAND_ERROR_IS_FATAL ANY)
  install(FILES "${packed}" DESTINATION "${destination}" COMPONENT ${component} ${ARGN})
endfunction()

function(steelyard_install_documents component package)
  steelyard_install_compressed(packaging/deb/changelog ${CMAKE_INSTALL_DATADIR}/doc/${package} ${component} RENAME changelog.gz)
  install(FILES packaging/deb/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()

steelyard_install_compressed(packaging/linux/man/steelyard-cli.1 ${CMAKE_INSTALL_MANDIR}/man1 cli)
steelyard_install_documents(cli steelyard-cli)

if(TARGET steelyard)
  install(TARGETS steelyard RUNTIME COMPONENT desktop)
  install(FILES packaging/linux/steelyard.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT desktop)
  install(FILES packaging/linux/steelyard.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT desktop
    RENAME io.github.steelyard.steelyard.metainfo.xml)
  install(FILES packaging/linux/icons/steelyard.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT desktop)
  steelyard_install_compressed(packaging/linux/man/steelyard.1 ${CMAKE_INSTALL_MANDIR}/man1 desktop)
  steelyard_install_documents(desktop steelyard)
endif()

set(CPACK_PACKAGE_NAME steelyard)
set(CPACK_PACKAGE_VENDOR "Steelyard")
set(CPACK_PACKAGE_CONTACT "The Steelyard authors <maintainers@steelyard.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL cli)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME steelyard-cli)
set(CPACK_COMPONENT_CLI_DESCRIPTION "deep learning hardware benchmark, command line\n Measures how fast a computer trains and runs classic neural networks, with\n verified results, confidence intervals, memory figures and a history.")
set(CPACK_DEBIAN_CLI_PACKAGE_DEPENDS "libopenblas0-openmp")
if(TARGET steelyard)
  list(APPEND CPACK_COMPONENTS_ALL desktop)
  set(CPACK_DEBIAN_DESKTOP_PACKAGE_NAME steelyard)
  set(CPACK_COMPONENT_DESKTOP_DESCRIPTION "deep learning hardware benchmark, desktop program\n One click measures how fast this computer trains and runs classic neural\n networks, and shows speed, memory and history in charts.")
  set(CPACK_DEBIAN_DESKTOP_PACKAGE_DEPENDS "steelyard-cli (= ${PROJECT_VERSION}), libqt6svg6")
  set(CPACK_DEBIAN_DESKTOP_PACKAGE_RECOMMENDS "fonts-wqy-microhei | fonts-noto-cjk")
endif()
include(CPack)
