// SPDX-License-Identifier: Apache-2.0
// Adds a file to the user's networks: shows what was recognized, asks for missing information, and adds it under a
// name. Reads the file in the controller's thread; the dialog stays responsive. Closes when the network has been added.
// GUI thread; deletes itself when closed.
#pragma once

#include <QDialog>
#include <QTimer>
#include <map>
#include <string>

#include "ui/presenters/network_summary.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace steelyard::ui {

class Badge;
class DetailList;
class NetworkController;

class NetworkDialog : public QDialog {
    Q_OBJECT

public:
    // The controller must outlive the dialog.
    NetworkDialog(NetworkController& networks, const QString& file, QWidget* parent = nullptr);

private:
    void showSummary(const NetworkSummary& summary);
    void showFields(const NetworkSummary& summary);
    void showState(const NetworkSummary& summary);
    void askSoon();
    void ask();
    void refuse(const Error& error);
    [[nodiscard]] NetworkRequest request() const;
    // 0: not set.
    QSpinBox* addNumber(const QString& label, const QString& name, int lowest);

    NetworkController& m_networks;
    QTimer m_delay;
    NetworkRequest m_request;  // values without a field
    std::string m_cutBefore;   // node input at which unsupported operations can be cut off
    bool m_nameTyped = false, m_batchAsked = false;
    QLineEdit* m_name = nullptr;
    Badge* m_state = nullptr;
    QLabel* m_advice = nullptr;
    QPushButton* m_cut = nullptr;
    QWidget* m_fields = nullptr;  // fields for missing information
    QFormLayout* m_form = nullptr;
    QSpinBox* m_batch = nullptr;
    std::map<std::string, QSpinBox*> m_dimensions;
    std::map<std::string, QLineEdit*> m_shapes, m_values;
    DetailList* m_details = nullptr;
    QLabel* m_kept = nullptr;
    QPushButton* m_add = nullptr;
};

}  // namespace steelyard::ui
