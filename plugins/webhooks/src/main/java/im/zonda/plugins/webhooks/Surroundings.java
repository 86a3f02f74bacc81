package im.zonda.plugins.webhooks;

import im.zonda.plugin.PluginCounter;
import java.time.InstantSource;
import java.util.Set;
import org.slf4j.Logger;

/// The part of the plugin that deliveries need.
///
/// @param version of the plugin
/// @param alarm tells the administrators
/// @param meters of all targets together
record Surroundings(String version, InstantSource clock, Logger log, Alarm alarm, Meters meters) {

  /// Tells the administrators of hosts.
  @FunctionalInterface
  interface Alarm {
    /// Notifies them, once for the same text within a while.
    ///
    /// @param hosts the domains of the hosts; empty for all
    /// @param text a sentence without numbers
    void raise(Set<String> hosts, String text);
  }

  /// The meters.
  ///
  /// @param sent events that were accepted
  /// @param rejected events that were rejected
  /// @param lost events that are not delivered
  /// @param failures attempts that have failed
  record Meters(
      PluginCounter sent, PluginCounter rejected, PluginCounter lost, PluginCounter failures) {}
}
