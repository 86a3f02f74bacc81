package im.zonda.module.pubsub.node;

import im.zonda.jid.Jid;
import java.util.Set;

/// Someone who requests something of a node, or gets its notifications.
///
/// @param jid the address
/// @param seesPresence whether the user may see the presence of the owner of the service
/// @param groups the groups of the owner's roster that the user is in
public record Requester(Jid jid, boolean seesPresence, Set<String> groups) {
  /// Copies the groups.
  public Requester {
    groups = Set.copyOf(groups);
  }

  /// Someone whom the owner does not know.
  public static Requester stranger(Jid jid) {
    return new Requester(jid, false, Set.of());
  }
}
