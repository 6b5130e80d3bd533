// SPDX-License-Identifier: Apache-2.0
// What the form of a run amounts to.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <algorithm>

#include "ui/controllers/machine_controller.h"
#include "ui/models/case_tree_model.h"
#include "ui/pages/benchmark/gpu_choice.h"
#include "ui/pages/benchmark/run_setup_view.h"
#include "ui/settings/preferences.h"

namespace steelyard::ui {
namespace {

// "16, 32" -> {16, 32}; what is not a positive number is left out (the validator lets nothing else in).
std::vector<std::int64_t> numbersOf(const QString& text) {
    std::vector<std::int64_t> numbers;
    for (const auto& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const auto number = part.trimmed().toLongLong();
        if (number > 0) numbers.push_back(number);
    }
    return numbers;
}

// The checked ones; empty when all that can be are checked, which is what the program does unasked.
std::vector<std::string> chosen(const std::vector<std::pair<std::string, QCheckBox*>>& boxes) {
    std::vector<std::string> result;
    bool all = true;
    for (const auto& [id, box] : boxes) {
        if (box->isChecked()) result.push_back(id);
        all = all && (box->isChecked() || !box->isEnabled());
    }
    return all ? std::vector<std::string>() : result;
}

bool anyChecked(const std::vector<std::pair<std::string, QCheckBox*>>& boxes) {
    return boxes.empty() ||
           std::any_of(boxes.begin(), boxes.end(), [](const auto& box) { return box.second->isChecked(); });
}

}  // namespace

RunRequest RunSetupView::request() const {
    RunRequest request;
    request.suite = m_suite->currentData().toString().toStdString();
    if (request.suite.empty()) request.workloads = m_model->checked();
    if (m_train->isChecked() != m_infer->isChecked()) request.modes = {m_train->isChecked() ? "train" : "infer"};
    request.gpus = m_gpus->counts();
    const bool shared = !request.gpus.empty();
    if (shared) {
        request.scalings = m_gpus->scalings();
        // Unasked, GPUs that share a case are timed in training alone.
        if (m_train->isChecked() && m_infer->isChecked()) request.modes = {"train", "infer"};
    } else {
        request.devices = chosen(m_devices);
    }
    for (const auto& [precision, box] : m_precisions) {
        if (box->isChecked()) request.precisions.push_back(precision);
    }
    if (request.precisions == std::vector<std::string>{"fp32"}) request.precisions.clear();
    request.batches = numbersOf(m_batch->text());
    const auto preferences = m_context.preferences.load();
    if (!shared) {
        for (const auto count : numbersOf(m_threads->text())) request.threads.push_back(static_cast<int>(count));
        const int usual = threadsOf(preferences, m_context.machine.catalogue().maxThreads);
        if (request.threads.empty() && usual > 0) request.threads = {usual};
    }
    if (m_realData->isChecked() && !shared) request.data = preferences.dataFolder.toStdString();
    if (m_timeCap->value() > 0) request.timeCapSeconds = m_timeCap->value();
    request.precise = m_precise->isChecked();
    request.database = m_context.databaseFile().toStdString();
    return request;
}

QString RunSetupView::whyNot() const {
    if (m_context.machine.catalogue().workloads.empty()) return tr("Looking at what can run here…");
    const auto wanted = request();
    if (wanted.suite.empty() && wanted.workloads.empty()) return tr("Choose a suite, or check at least one workload.");
    if (!m_train->isChecked() && !m_infer->isChecked()) return tr("Choose training, inference or both.");
    if (m_gpus->lacksScaling()) return tr("Choose at least one kind of scaling.");
    if (wanted.gpus.empty() && !anyChecked(m_devices)) return tr("Choose at least one device.");
    if (!anyChecked(m_precisions)) return tr("Choose at least one precision.");
    return {};
}

}  // namespace steelyard::ui
