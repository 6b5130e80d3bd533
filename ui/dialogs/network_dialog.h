// SPDX-License-Identifier: Apache-2.0
// A file that may become one of the user's networks: shows what was understood of it, asks for what the file leaves
// open, and adds it under a name. Reads through the controller, in its thread; the dialog answers meanwhile. Closes
// itself once the network has been added. GUI thread; deletes itself when closed.
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
    // The controller outlives the dialog.
    NetworkDialog(NetworkController& networks, const QString& file, QWidget* parent = nullptr);

private:
    void showSummary(const NetworkSummary& summary);
    void showFields(const NetworkSummary& summary);
    void showState(const NetworkSummary& summary);
    void askSoon();
    void ask();
    void refuse(const Error& error);
    [[nodiscard]] NetworkRequest request() const;
    // 0: not set yet.
    QSpinBox* addNumber(const QString& label, const QString& name, int lowest);

    NetworkController& m_networks;
    QTimer m_delay;
    NetworkRequest m_request;  // what is not in a field
    std::string m_cutBefore;   // before what cannot be computed
    bool m_nameTyped = false, m_batchAsked = false;
    QLineEdit* m_name = nullptr;
    Badge* m_state = nullptr;
    QLabel* m_advice = nullptr;
    QPushButton* m_cut = nullptr;
    QWidget* m_fields = nullptr;  // what the file leaves open
    QFormLayout* m_form = nullptr;
    QSpinBox* m_batch = nullptr;
    std::map<std::string, QSpinBox*> m_dimensions;
    std::map<std::string, QLineEdit*> m_shapes, m_values;
    DetailList* m_details = nullptr;
    QLabel* m_kept = nullptr;
    QPushButton* m_add = nullptr;
};

}  // namespace steelyard::ui
