// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/dialogs.h"

#include <QDesktopServices>
#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/dialogs/dialog_buttons.h"
#include "ui/dialogs/prune_dialog.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
namespace {

// Replaces the style's icons by the program's.
void setOwnIcon(QMessageBox& box, const QString& name, IconColour colour) {
    box.setIconPixmap(iconPixmap(name, colour, scaled(36), box.devicePixelRatioF()));
    for (auto* label : box.findChildren<QLabel*>()) {
        if (!label->pixmap().isNull()) setDecorative(label);
    }
}

}  // namespace

// A folder that no longer exists, on a drive that was removed, is not offered.
QString SystemDialogs::startFolder() const {
    const auto last = m_preferences.lastFolder();
    return !last.isEmpty() && QDir(last).exists() ? last
                                                  : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

void SystemDialogs::remember(const QString& file) {
    if (!file.isEmpty()) m_preferences.saveLastFolder(QFileInfo(file).absolutePath());
}

QString SystemDialogs::openFile(QWidget* parent, const QString& title, const QString& filter) {
    const auto file = QFileDialog::getOpenFileName(parent, title, startFolder(), filter);
    remember(file);
    return file;
}

QString SystemDialogs::saveFile(QWidget* parent, const QString& title, const QString& suggestion,
                                const QString& filter) {
    const auto place = QDir(startFolder()).filePath(suggestion);
    const auto file = QFileDialog::getSaveFileName(parent, title, place, filter);
    remember(file);
    return file;
}

QString SystemDialogs::chooseFile(QWidget* parent, const QString& title, const QString& suggestion,
                                  const QString& filter) {
    const auto place = QDir(startFolder()).filePath(suggestion);
    return QFileDialog::getSaveFileName(parent, title, place, filter, nullptr, QFileDialog::DontConfirmOverwrite);
}

QString SystemDialogs::chooseFolder(QWidget* parent, const QString& title) {
    const auto folder = QFileDialog::getExistingDirectory(parent, title, startFolder());
    if (!folder.isEmpty()) m_preferences.saveLastFolder(folder);
    return folder;
}

bool SystemDialogs::confirm(QWidget* parent, const Question& question) {
    QMessageBox box(parent);
    box.setWindowTitle(question.title);
    box.setText(question.text);
    box.setInformativeText(question.detail);
    setOwnIcon(box, question.dangerous ? QStringLiteral("caution") : QStringLiteral("help"),
               question.dangerous ? IconColour::Caution : IconColour::Accent);
    auto* accept =
        box.addButton(question.accept, question.dangerous ? QMessageBox::DestructiveRole : QMessageBox::AcceptRole);
    auto* reject = box.addButton(question.reject, QMessageBox::RejectRole);
    box.setDefaultButton(question.dangerous ? reject : accept);
    box.setEscapeButton(reject);
    box.exec();
    return box.clickedButton() == accept;
}

std::optional<history::PruneRule> SystemDialogs::choosePruning(QWidget* parent,
                                                               const std::vector<history::RunOverview>& runs) {
    PruneDialog dialog(runs, parent);
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.rule()) : std::nullopt;
}

void SystemDialogs::showError(QWidget* parent, const QString& title, const QString& text) {
    QMessageBox box(QMessageBox::NoIcon, title, text, QMessageBox::Ok, parent);
    setOwnIcon(box, QStringLiteral("caution"), IconColour::Caution);
    for (auto* button : box.buttons()) button->setIcon({});  // the style's, which is not in the look of the window
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box.exec();
}

void SystemDialogs::showHelp(QWidget* parent, const QString& title, const QString& text) {
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.resize(scaled(QSize(620, 560)));
    auto* layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(spacing::kCard, spacing::kCard, spacing::kCard, spacing::kCard);
    layout->setSpacing(spacing::kGap);
    auto* browser = new QTextBrowser(&dialog);
    browser->setObjectName(QStringLiteral("helpText"));
    browser->setAccessibleName(title);
    browser->setHtml(text);
    layout->addWidget(browser);
    auto* buttons = makeDialogButtons(QDialogButtonBox::Close, &dialog);
    layout->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    dialog.exec();
}

bool SystemDialogs::previewText(QWidget* parent, const QString& title, const QString& text, const QString& action) {
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    dialog.resize(760, 560);
    auto* layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(spacing::kCard, spacing::kCard, spacing::kCard, spacing::kCard);
    layout->setSpacing(spacing::kGap);
    auto* edit = new QPlainTextEdit(text, &dialog);
    setRole(edit, role::kMono);
    edit->setReadOnly(true);
    edit->setAccessibleName(title);
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    layout->addWidget(edit);
    auto* buttons = makeDialogButtons(QDialogButtonBox::Close, &dialog);
    auto* act = buttons->addButton(action, QDialogButtonBox::AcceptRole);
    setRole(act, role::kPrimary);
    layout->addWidget(buttons);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return dialog.exec() == QDialog::Accepted;
}

void SystemDialogs::open(const QUrl& place) {
    QDesktopServices::openUrl(place);
}

}  // namespace steelyard::ui
