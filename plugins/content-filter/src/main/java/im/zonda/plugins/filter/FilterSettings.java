package im.zonda.plugins.filter;

import im.zonda.plugin.PluginSettings;

/// The settings that may differ between hosts.
///
/// @param mask what stands for a character that is masked
/// @param isTextReported whether reports have the text of the message
/// @param isUncheckedRejected whether a message that is too long to be checked to its end is
///   rejected
/// @param text the error text for a message that is rejected by a rule without a text
record FilterSettings(
    String mask, boolean isTextReported, boolean isUncheckedRejected, String text) {
  static FilterSettings of(PluginSettings settings) {
    String mask = settings.text("mask");
    return new FilterSettings(
        mask.isEmpty() ? "*" : mask,
        settings.flag("report-text"),
        settings.text("too-long").equals("reject"),
        settings.text("text"));
  }
}
