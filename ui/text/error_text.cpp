// SPDX-License-Identifier: Apache-2.0
#include "ui/text/error_text.h"

#include "ui/text/format.h"
#include "ui/text/message_text.h"

namespace steelyard::ui {

QString ErrorText::sentence(const Error& error) {
    if (error.subject.empty() && !error.detail.empty()) return MessageText::sentence(error.detail);
    const auto subject = error.subject.empty() ? tr("The operation") : QString::fromStdString(error.subject);
    switch (error.kind) {
        case ErrorKind::InvalidArgument:
            return tr("%1 is not valid.").arg(subject);
        case ErrorKind::NotFound:
            return tr("%1 was not found.").arg(subject);
        case ErrorKind::Unsupported:
            return tr("%1 is not supported here.").arg(subject);
        case ErrorKind::OutOfMemory:
            return tr("%1 does not fit into memory.").arg(subject);
        case ErrorKind::TimedOut:
            return tr("%1 took longer than its time limit.").arg(subject);
        case ErrorKind::Cancelled:
            return tr("%1 was cancelled.").arg(subject);
        case ErrorKind::IoFailed:
            return tr("%1 could not be read or written.").arg(subject);
        case ErrorKind::DiskFull:
            return tr("The disk is full: %1 could not be written.").arg(subject);
        case ErrorKind::PermissionDenied:
            return tr("Access to %1 is not permitted.").arg(subject);
        case ErrorKind::CorruptData:
            return tr("%1 is damaged or not of the expected format.").arg(subject);
        case ErrorKind::VersionTooNew:
            return tr("%1 was written by a newer version of this program.").arg(subject);
        case ErrorKind::Locked:
            return tr("%1 is in use by another program.").arg(subject);
        case ErrorKind::ChildCrashed:
            return tr("The measuring process of %1 ended unexpectedly.").arg(subject);
        case ErrorKind::BackendUnavailable:
            return tr("%1 is not available.").arg(subject);
        case ErrorKind::Internal:
            return tr("An unexpected failure in %1.").arg(subject);
    }
    return {};
}

QString ErrorText::advice(const Error& error) {
    switch (error.kind) {
        case ErrorKind::InvalidArgument:
            return tr("Correct the value and try again.");
        case ErrorKind::NotFound:
            return tr("Check the name and whether it still exists.");
        case ErrorKind::Unsupported:
            return tr("Choose another device or precision.");
        case ErrorKind::OutOfMemory:
            return tr("Choose a smaller batch, or close other programs.");
        case ErrorKind::TimedOut:
            return tr("Raise the time cap, or choose a smaller workload.");
        case ErrorKind::Cancelled:
            return tr("Finished cases are kept; start again for the rest.");
        case ErrorKind::IoFailed:
            return tr("Check that the drive is connected and try again.");
        case ErrorKind::DiskFull:
            return tr("Free some space or choose another folder.");
        case ErrorKind::PermissionDenied:
            return tr("Choose a folder you may write to, or ask who owns the file.");
        case ErrorKind::CorruptData:
            return tr("Export the file again where it was made; nothing was changed here.");
        case ErrorKind::VersionTooNew:
            return tr("Update this program; the file was left untouched.");
        case ErrorKind::Locked:
            return tr("Close the other program, or choose another database in Settings.");
        case ErrorKind::ChildCrashed:
            return tr("Run the case alone; if it happens again, copy the diagnostic report on the Hardware page.");
        case ErrorKind::BackendUnavailable:
            return tr("See the Hardware page for what is missing.");
        case ErrorKind::Internal:
            return tr("Try again; if the error persists, copy the diagnostic report on the Hardware page.");
    }
    return {};
}

QString ErrorText::full(const Error& error) {
    auto text = sentence(error);
    if (error.neededBytes && error.availableBytes) {
        text += QLatin1Char(' ') +
                tr("Needs %1, has %2.").arg(Format::bytes(*error.neededBytes), Format::bytes(*error.availableBytes));
    }
    text += QLatin1Char(' ') + advice(error);
    if (!error.subject.empty() && !error.detail.empty())
        text += QLatin1Char('\n') + tr("Detail: %1").arg(MessageText::text(error.detail));
    if (error.offset) text += QLatin1Char(' ') + tr("(at byte %1)").arg(Format::integer(*error.offset));
    return text;
}

}  // namespace steelyard::ui
