package im.zonda.console.plugin;

import im.zonda.console.page.ConsolePages;
import im.zonda.console.page.Places;

/// The pages of plugins, besides their list.
public final class PluginPages {
  private PluginPages() {}

  /// Adds them.
  public static void addTo(ConsolePages console) {
    console.add(Places.PLUGIN, new PluginPage(console.pages()));
    console.add(Places.PLUGIN_ADD, new PluginAddPage(console.pages()));
  }
}
