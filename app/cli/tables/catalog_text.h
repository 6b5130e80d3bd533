// SPDX-License-Identifier: Apache-2.0
// Devices, offers, problems and rejections of the catalogue as text for the terminal.
#pragma once

#include <iosfwd>
#include <string>

#include "engine/catalog/catalog.h"
#include "engine/catalog/skypilot_import.h"

namespace steelyard::cli {

void printHardware(std::ostream& out, const catalog::Catalog& catalog);
void printOffers(std::ostream& out, const catalog::Catalog& catalog, const std::string& today);
// All figures of one device, with source and date.
void printDevice(std::ostream& out, const catalog::HardwareSpec& spec);
void printOffer(std::ostream& out, const catalog::Offer& offer, const std::string& today);
void printProblems(std::ostream& out, const std::vector<catalog::Problem>& problems);
void printImport(std::ostream& out, const catalog::SkyPilotImport& import);

}  // namespace steelyard::cli
