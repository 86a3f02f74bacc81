package im.zonda.home.component;

import im.zonda.config.component.Components;
import im.zonda.config.limits.Limits;

/// The limits of the components of one domain.
///
/// @param giveUpMillis how long a stanza waits, in ms
/// @param queueBytes what may wait
/// @param window what may be on its way on one connection, in bytes
/// @param connections the most connections
record ComponentBounds(long giveUpMillis, int queueBytes, int window, int connections) {
  private static final int MOST_WINDOW = 262_144;

  /// Far less than what ends a connection, because bytes are counted approximately.
  static ComponentBounds of(Components settings, Limits limits) {
    return new ComponentBounds(
        settings.giveUp().toMillis(),
        settings.queueBytes(),
        Math.min(MOST_WINDOW, limits.outboundBytes() / 4),
        settings.connections());
  }
}
