// SPDX-License-Identifier: Apache-2.0
#include "ui/controllers/advice_controller.h"

namespace steelyard::ui {

AdviceController::AdviceController(AdviceServices services, QObject* parent)
    : QObject(parent), m_services(std::move(services)), m_worker(new QObject) {
    m_thread.setObjectName(QStringLiteral("advice"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
}

AdviceController::~AdviceController() {
    m_thread.quit();
    m_thread.wait();
}

template <typename Value>
void AdviceController::post(std::function<Result<Value>()> work, std::function<void(Value)> done) {
    if (!work) return;
    // The thread ends before this object does: what it posts is dropped with it.
    QMetaObject::invokeMethod(m_worker, [this, work = std::move(work), done = std::move(done)] {
        auto value = work();
        QMetaObject::invokeMethod(this, [this, value = std::move(value), done]() mutable {
            if (value) {
                done(std::move(*value));
            } else {
                emit failed(value.error());
            }
        });
    });
}

void AdviceController::load() {
    post<AdviceOptions>(m_services.options, [this](AdviceOptions options) {
        m_options = std::move(options);
        emit optionsReady();
    });
}

void AdviceController::ask(const AdviceQuestion& question, const AdviceSurroundings& surroundings) {
    if (!m_services.answer) return;
    const int number = ++m_latest;
    QMetaObject::invokeMethod(m_worker, [this, number, question, surroundings, answer = m_services.answer] {
        auto value = answer(question, surroundings);
        QMetaObject::invokeMethod(this, [this, number, value = std::move(value)]() mutable {
            if (number != m_latest) return;  // a later question is under way
            m_answered = number;
            if (!value) {
                emit refused(value.error());
                return;
            }
            m_answer = std::move(*value);
            emit answered();
        });
    });
}

void AdviceController::setPurchase(const advisor::PurchaseRequest& purchase) {
    if (purchase == m_purchase) return;
    m_purchase = purchase;
    emit purchaseChanged();
}

void AdviceController::requestBacktest() {
    if (m_backtest || m_backtestAsked) return;
    m_backtestAsked = true;
    post<advisor::BacktestReport>(m_services.backtest, [this](advisor::BacktestReport report) {
        m_backtest = std::move(report);
        emit backtestReady();
    });
}

void AdviceController::addNetwork(const QString& file) {
    if (!m_services.addNetwork) return;
    using Added = Result<std::string>;
    post<Added>([add = m_services.addNetwork,
                 path = std::filesystem::path(file.toStdString())]() -> Result<Added> { return add(path); },
                [this, file](const Added& id) {
                    if (!id) {
                        emit networkRefused(file, id.error());
                        return;
                    }
                    emit networkAdded(QString::fromStdString(*id));
                    load();
                });
}

void AdviceController::importPrices(const QString& folder) {
    if (!m_services.importPrices) return;
    const std::filesystem::path path = folder.toStdString();
    post<ImportedPrices>([import = m_services.importPrices, path] { return import(path); },
                         [this](const ImportedPrices& prices) {
                             emit pricesImported(prices);
                             emit pricesChanged();
                             load();  // there may be new providers
                         });
}

void AdviceController::setPrice(const catalog::PriceOverride& price) {
    if (!m_services.setPrice) return;
    post<bool>(
        [set = m_services.setPrice, price]() -> Result<bool> {
            TRY(set(price));
            return true;
        },
        [this](bool) { emit pricesChanged(); });
}

}  // namespace steelyard::ui
