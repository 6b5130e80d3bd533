// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/basics.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"

namespace steelyard::ui {
IconColour toneColour(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return IconColour::Good;
        case Tone::Caution:
            return IconColour::Caution;
        case Tone::Bad:
            return IconColour::Bad;
        case Tone::Neutral:
            return IconColour::Muted;
    }
    return IconColour::Muted;
}

const char* toneRole(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return role::kGood;
        case Tone::Caution:
            return role::kCaution;
        case Tone::Bad:
            return role::kBad;
        case Tone::Neutral:
            return role::kMuted;
    }
    return role::kMuted;
}

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent, bool wrap) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(wrap);
    label->setTextFormat(Qt::PlainText);
    if (role && *role) setRole(label, role);
    return label;
}

QPushButton* makeButton(const QString& text, const QString& iconName, const char* role, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    const bool filled = qstrcmp(role, role::kPrimary) == 0 || qstrcmp(role, role::kHero) == 0;
    const bool quiet = qstrcmp(role, role::kQuiet) == 0;
    const bool danger = qstrcmp(role, role::kDanger) == 0;
    const auto colour = filled   ? IconColour::OnAccent
                        : quiet  ? IconColour::Accent
                        : danger ? IconColour::Bad
                                 : IconColour::Text;
    if (!iconName.isEmpty()) button->setIcon(icon(iconName, colour));
    button->setIconSize(scaled(text.isEmpty() ? QSize(18, 18) : QSize(24, 18)));  // with a gap before the text
    if (role && *role) setRole(button, role);
    return button;
}

QScrollArea* makeScrollArea(QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

QScrollArea* makeScrolled(QWidget* widget, QWidget* parent) {
    auto* area = makeScrollArea(parent);
    area->setWidget(widget);
    return area;
}

void makeSearchable(QComboBox* box) {
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->completer()->setCompletionMode(QCompleter::PopupCompletion);
    box->completer()->setFilterMode(Qt::MatchContains);
    box->completer()->setCaseSensitivity(Qt::CaseInsensitive);
    box->setMinimumContentsLength(12);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    // A name longer than the field is read from its beginning.
    auto* field = box->lineEdit();
    QObject::connect(field, &QLineEdit::editingFinished, field, [field] { field->setCursorPosition(0); });
    QObject::connect(box, &QComboBox::currentIndexChanged, field, [field] {
        if (!field->hasFocus()) field->setCursorPosition(0);
    });
}

void clearLayout(QLayout* layout) {
    while (auto* item = layout->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        if (item->layout()) clearLayout(item->layout());
        delete item;
    }
}

Card::Card(const QString& heading, QWidget* parent) : QFrame(parent) {
    setRole(this, role::kCard);
    m_body = new QVBoxLayout(this);
    m_body->setContentsMargins(spacing::kCard, spacing::kCard, spacing::kCard, spacing::kCard);
    m_body->setSpacing(spacing::kSmall);
    m_headingRow = new QHBoxLayout;
    m_body->addLayout(m_headingRow);
    setHeading(heading);
}

void Card::setHeading(const QString& heading) {
    if (!m_heading && !heading.isEmpty()) {
        m_heading = makeLabel(heading, role::kHeading, this);
        m_headingRow->insertWidget(0, m_heading, 1);
    }
    if (m_heading) m_heading->setText(heading);
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFullText(text);
}

QSize ElidedLabel::minimumSizeHint() const {
    return {24, fontMetrics().height() + 2};
}

QSize ElidedLabel::sizeHint() const {
    ensurePolished();
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2};
}

void ElidedLabel::setFullText(const QString& text) {
    m_text = text;
    updateGeometry();
    elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) elide();
}

void ElidedLabel::elide() {
    const auto shown = fontMetrics().elidedText(m_text, Qt::ElideRight, std::max(width(), 8));
    if (shown != text()) setText(shown);
    setToolTip(shown == m_text ? QString() : m_text);
    setAccessibleName(m_text);
}

ElidedComboBox::ElidedComboBox(QWidget* parent) : QComboBox(parent) {
    setItemDelegate(new QStyledItemDelegate(this));  // the default one ignores the rows of the style sheet
    setMaxVisibleItems(16);
}

namespace {

int comboTextWidth(const QComboBox& box, const QStyleOptionComboBox& option) {
    return box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box).width() - 4;
}

}  // namespace

// The style sheet's paddings leave less room than the style computes.
QSize ElidedComboBox::sizeHint() const {
    auto hint = QComboBox::sizeHint() + QSize(scaled(8), 0);
    if (sizeAdjustPolicy() == AdjustToMinimumContentsLengthWithIcon) return hint;
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.rect = QRect(QPoint(), hint);
    int widest = 0;
    for (int index = 0; index < count(); ++index)
        widest = std::max(widest, option.fontMetrics.horizontalAdvance(itemText(index)));
    hint.rwidth() += std::max(0, widest - comboTextWidth(*this, option));
    return hint;
}

void ElidedComboBox::showPopup() {
    const int scrollBar = count() > maxVisibleItems() ? view()->verticalScrollBar()->sizeHint().width() : 0;
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + 2 * view()->frameWidth() + scrollBar);
    QComboBox::showPopup();
}

void ElidedComboBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText =
        option.fontMetrics.elidedText(option.currentText, Qt::ElideRight, comboTextWidth(*this, option));
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

IconLabel::IconLabel(const QString& iconName, IconColour colour, int size, QWidget* parent)
    : QLabel(parent), m_iconName(iconName), m_colour(colour), m_size(scaled(size)) {
    setDecorative(this);
    repaintIcon();
}

void IconLabel::setIcon(const QString& iconName, IconColour colour) {
    m_iconName = iconName;
    m_colour = colour;
    repaintIcon();
}

void IconLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) repaintIcon();
}

void IconLabel::repaintIcon() {
    setPixmap(iconPixmap(m_iconName, m_colour, m_size, devicePixelRatioF()));
}

Badge::Badge(QWidget* parent) : QWidget(parent) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_icon = new IconLabel(toneIcon(Tone::Neutral), IconColour::Muted, 18, this);
    m_text = makeLabel({}, role::kMuted, this, false);
    layout->addWidget(m_icon);
    layout->addWidget(m_text);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::setWrapping() {
    m_text->setWordWrap(true);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void Badge::setState(Tone tone, const QString& text) {
    m_text->setText(text);
    setRole(m_text, toneRole(tone));
    setAccessibleName(text);
    m_icon->setIcon(toneIcon(tone), toneColour(tone));
    setVisible(!text.isEmpty());
}

EmptyState::EmptyState(const QString& iconName, const QString& title, const QString& text, QWidget* parent)
    : QWidget(parent) {
    m_layout = new QVBoxLayout(this);
    m_layout->setContentsMargins(spacing::kPage, spacing::kPage, spacing::kPage, spacing::kPage);
    m_layout->setSpacing(spacing::kGap);
    m_layout->addStretch(2);
    m_layout->addWidget(new IconLabel(iconName, IconColour::Muted, 44, this), 0, Qt::AlignHCenter);
    auto* heading = makeLabel(title, role::kHeading, this);
    heading->setAlignment(Qt::AlignHCenter);
    m_layout->addWidget(heading);
    m_text = makeLabel(text, role::kMuted, this);
    m_text->setAlignment(Qt::AlignHCenter);
    m_layout->addWidget(m_text);
    m_layout->addStretch(3);
}

QPushButton* EmptyState::addButton(const QString& text, const QString& iconName, const char* role) {
    auto* button = makeButton(text, iconName, role, this);
    m_layout->insertWidget(m_layout->count() - 1, button, 0, Qt::AlignHCenter);
    return button;
}

void EmptyState::setText(const QString& text) {
    m_text->setText(text);
}

DetailList::DetailList(QWidget* parent) : QWidget(parent) {
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(spacing::kGap);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(1, 1);
}

void DetailList::setDetails(const std::vector<Detail>& details) {
    clearLayout(m_grid);
    int row = 0;
    for (const auto& detail : details) {
        auto* label = makeLabel(detail.label, role::kMuted, this);
        auto* value = makeLabel(detail.value, "", this);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        label->setMaximumWidth(scaled(160));
        label->setMinimumWidth(scaled(100));
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(label, row, 0);
        m_grid->addWidget(value, row, 1);
        ++row;
    }
}

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent) {
    setRole(this, role::kNotice);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(spacing::kGap, 6, 6, 6);
    m_badge = new Badge(this);
    m_action = makeButton({}, {}, role::kQuiet, this);
    m_action->setObjectName(QStringLiteral("noticeAction"));
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("noticeClose"));
    close->setIcon(icon(QStringLiteral("close"), IconColour::Muted));
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(close->toolTip());
    m_badge->setWrapping();
    m_more = makeLabel({}, role::kSmall, this, false);
    m_more->setObjectName(QStringLiteral("noticeMore"));
    layout->addWidget(m_badge, 1);
    layout->addWidget(m_more);
    layout->addWidget(m_action);
    layout->addWidget(close);
    connect(m_action, &QPushButton::clicked, this, [this] {
        const auto then = m_notices.empty() ? nullptr : m_notices.back().then;
        dismiss();
        if (then) then();
    });
    connect(close, &QToolButton::clicked, this, &NoticeBar::dismiss);
    hide();
}

void NoticeBar::announce(const Notice& notice) {
    constexpr std::size_t kMostKept = 5;
    const auto gives = [&](const Notice& old) { return old.kind == notice.kind && notice.kind != NoticeKind::Undo; };
    std::erase_if(m_notices, gives);
    m_notices.push_back(notice);
    if (m_notices.size() > kMostKept) m_notices.erase(m_notices.begin());
    showLatest();
}

void NoticeBar::dismiss() {
    if (!m_notices.empty()) m_notices.pop_back();
    showLatest();
}

void NoticeBar::dismissAll(NoticeKind kind) {
    std::erase_if(m_notices, [&](const Notice& notice) { return notice.kind == kind; });
    showLatest();
}

bool NoticeBar::undo() {
    const auto latest = std::find_if(m_notices.rbegin(), m_notices.rend(),
                                     [](const Notice& notice) { return notice.kind == NoticeKind::Undo; });
    if (latest == m_notices.rend()) return false;
    const auto then = latest->then;
    m_notices.erase(std::next(latest).base());
    showLatest();
    if (then) then();
    return true;
}

void NoticeBar::showLatest() {
    setVisible(!m_notices.empty());
    if (m_notices.empty()) return;
    const auto& latest = m_notices.back();
    m_badge->setState(latest.tone, latest.text);
    m_action->setText(latest.action);
    m_action->setVisible(!latest.action.isEmpty());
    const auto earlier = static_cast<int>(m_notices.size()) - 1;
    m_more->setText(tr("%n more below", nullptr, earlier));
    m_more->setVisible(earlier > 0);
}

QString NoticeBar::text() const {
    return m_badge->accessibleName();
}

}  // namespace steelyard::ui
