package im.zonda.plugins.filter;

import im.zonda.plugin.Plugin;
import im.zonda.plugin.PluginContext;

/// The plugin.
public final class ContentFilter implements Plugin {
  @Override
  public void start(PluginContext context) {
    context.log().info("content_filter_started hosts={}", context.hosts().size());
  }
}
