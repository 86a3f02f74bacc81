package im.zonda.module.privilege;

import im.zonda.jid.Jid;
import im.zonda.stanza.Presence;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The available presence of contacts of other domains, as it has come in: for components that
/// connect later, and so that presence that comes to several accounts is sent once (XEP-0356,
/// section 8). Where accounts are reached at different speed, one that is late repeats presence
/// that others have replaced, and then the one that has replaced it: the last one is right. Bounded
/// in bytes: what came first is forgotten first. Any thread may call.
final class ContactPresences {
  /// What an entry costs beside its stanza, about.
  private static final int OVERHEAD = 200;

  private final long most;

  // Guarded by this object's monitor.
  private final Map<Jid, Presence> present = new LinkedHashMap<>();
  private long bytes;

  /// @param most the maximum of all together, in bytes
  ContactPresences(long most) {
    this.most = most;
  }

  /// Takes presence in; false if it is known already.
  synchronized boolean add(Jid contact, Presence arrived) {
    if (arrived.type() == Presence.Type.UNAVAILABLE) {
      return remove(contact);
    }
    Presence presence = arrived.withAddresses(contact, null).packed();
    Presence before = present.get(contact);
    if (before != null && before.toElement().equals(presence.toElement())) {
      return false;
    }
    remove(contact);
    present.put(contact, presence);
    bytes += size(presence);
    Iterator<Presence> oldest = present.values().iterator();
    while (bytes > most && oldest.hasNext()) {
      bytes -= size(oldest.next());
      oldest.remove();
    }
    return true;
  }

  /// Unavailable presence of a bare address is for all its resources.
  private boolean remove(Jid contact) {
    if (contact.resource() == null) {
      List<Jid> resources =
          present.keySet().stream().filter(each -> each.bare().equals(contact)).toList();
      resources.forEach(this::forget);
      return !resources.isEmpty();
    }
    return forget(contact);
  }

  private boolean forget(Jid contact) {
    Presence before = present.remove(contact);
    if (before != null) {
      bytes -= size(before);
    }
    return before != null;
  }

  private static long size(Presence presence) {
    return (long) presence.writtenSize() + OVERHEAD;
  }

  /// All of it, with the contacts as senders.
  synchronized List<Presence> all() {
    return List.copyOf(present.values());
  }

  /// Forgets everything.
  synchronized void clear() {
    present.clear();
    bytes = 0;
  }
}
