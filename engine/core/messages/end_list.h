// SPDX-License-Identifier: Apache-2.0
#undef DECLARE
#undef MESSAGE
