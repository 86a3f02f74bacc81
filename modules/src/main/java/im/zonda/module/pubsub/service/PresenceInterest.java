package im.zonda.module.pubsub.service;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.store.PubSubStore;
import org.jspecify.annotations.Nullable;

/// Whether any node of the service needs presence. While none does, logins of accounts cost
/// nothing. Thread-safe.
final class PresenceInterest {
  private final ModuleContext context;
  private final PubSubStore store;
  private final Jid service;

  /// Null if it is not known.
  private volatile @Nullable Boolean found;

  PresenceInterest(ModuleContext context, PubSubStore store, Jid service) {
    this.context = context;
    this.store = store;
    this.service = service;
    context.onNotice(() -> found = null);
  }

  /// Whether it is known that no node needs presence. Does not block.
  boolean isOff() {
    return Boolean.FALSE.equals(found);
  }

  /// Whether a node needs presence. May block.
  boolean isOn() {
    Boolean known = found;
    if (known == null) {
      known = store.hasPresenceNodes(service);
      found = known;
    }
    return known;
  }

  /// A node that needs presence was stored.
  void begin() {
    if (!Boolean.TRUE.equals(found)) {
      found = true;
      context.notifyNodes();
    }
  }
}
