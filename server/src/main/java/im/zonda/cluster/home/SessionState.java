package im.zonda.cluster.home;

import im.zonda.cluster.frame.Attachment;
import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.SessionCopy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A session as its home and its mirror have it; a [SessionCopy] that can change.
final class SessionState {
  /// Sources whose last number is remembered. A stanza that is sent again after so many other
  /// sources have written to the session is delivered twice.
  static final int MAX_SOURCES = 4096;

  final String id;
  final String owner;
  final @Nullable String resource;
  long version;
  @Nullable Attachment attachment;
  long handled;
  long acked;
  boolean fetched;
  boolean ending;
  private final Deque<Delivery> queue;
  private final Map<String, Long> seen;

  SessionState(SessionCopy copy) {
    this.id = copy.id();
    this.owner = copy.owner();
    this.resource = copy.resource();
    this.version = copy.version();
    this.attachment = copy.attachment();
    this.handled = copy.handled();
    this.acked = copy.acked();
    this.fetched = copy.fetched();
    this.ending = copy.ending();
    this.queue = new ArrayDeque<>(copy.queue());
    this.seen = new LinkedHashMap<>(copy.seen());
  }

  /// A session that begins.
  static SessionState begin(NodeValue.Bind bind) {
    return new SessionState(
        new SessionCopy(
            bind.session(),
            bind.owner(),
            bind.resource(),
            1,
            bind.attachment(),
            0,
            0,
            List.of(),
            Map.of(),
            false,
            false));
  }

  /// The log of a room that begins.
  static SessionState beginRoom(String room) {
    return new SessionState(
        new SessionCopy(room, room, null, 1, null, 0, 0, List.of(), Map.of(), true, false));
  }

  SessionCopy copy() {
    return new SessionCopy(
        id,
        owner,
        resource,
        version,
        attachment,
        handled,
        acked,
        new ArrayList<>(queue),
        seen,
        fetched,
        ending);
  }

  boolean isRoom() {
    return resource == null;
  }

  Deque<Delivery> queue() {
    return queue;
  }

  /// The number of the last stanza in the queue, or that has left it.
  long last() {
    return acked + queue.size();
  }

  long seen(String source) {
    return seen.getOrDefault(source, 0L);
  }

  Delivery append(RoutedStanza stanza, boolean inStore) {
    Delivery delivery = new Delivery(last() + 1, stanza, inStore);
    add(delivery);
    return delivery;
  }

  private void add(Delivery delivery) {
    queue.add(delivery);
    String source = delivery.stanza().origin().source();
    Long before = seen.remove(source);
    long number = delivery.stanza().origin().number();
    seen.put(source, before == null ? number : Math.max(before, number));
    if (seen.size() > MAX_SOURCES) {
      seen.remove(seen.keySet().iterator().next());
    }
  }

  /// Takes out what the client has; never more than there is.
  List<Delivery> trim(long h) {
    List<Delivery> removed = new ArrayList<>();
    while (acked < h && !queue.isEmpty()) {
      removed.add(queue.remove());
      acked++;
    }
    return removed;
  }

  /// Takes over the next version.
  void apply(NodeValue.Update update) {
    version = update.version();
    handled = update.handled();
    update.added().forEach(this::add);
    trim(update.acked());
    fetched = update.fetched();
    ending = update.ending();
  }
}
