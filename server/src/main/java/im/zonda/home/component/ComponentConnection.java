package im.zonda.home.component;

import im.zonda.jid.Jid;
import im.zonda.link.ComponentLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// One connection of a component: what is on its way to it, and what waits for room. Confined to
/// the mailbox of the domain's home.
final class ComponentConnection {
  private final ComponentLink link;
  private final int window;
  private final int seed;

  /// Delivered to the link, oldest first; their bytes have not left.
  private final ArrayDeque<WaitingStanza> sent = new ArrayDeque<>();

  private final Queue<WaitingStanza> waiting = new ArrayDeque<>();

  /// How many stanzas of each sender are in the two queues.
  private final Map<Jid, Integer> senders = new HashMap<>();

  private long sentBytes;

  /// The number of the stanza that was sent last.
  private long number;

  /// When bytes left last, or when the oldest stanza was sent after none was on its way; in ms.
  private long progress;

  /// Whether the stream has ended.
  private boolean ended;

  /// @param window the most bytes on their way, unless one stanza is larger
  /// @param seed another one for each connection of the home
  ComponentConnection(ComponentLink link, int window, int seed) {
    this.link = link;
    this.window = window;
    this.seed = seed;
  }

  ComponentLink link() {
    return link;
  }

  /// The stream has ended: nothing more is sent, but what was sent may still leave.
  void end() {
    ended = true;
  }

  /// Whether stanzas can be sent.
  boolean isOpen() {
    return !ended;
  }

  /// Whether a stanza of that sender is on its way or waits: the next one must follow it.
  boolean knows(Jid sender) {
    return senders.containsKey(sender);
  }

  /// Whether the stanza could be sent now, after those that wait.
  boolean hasRoom(WaitingStanza stanza) {
    return waiting.isEmpty() && fits(stanza);
  }

  private boolean fits(WaitingStanza stanza) {
    return isOpen() && (sent.isEmpty() || sentBytes + stanza.size() <= window);
  }

  /// Sends a stanza, for which there is room.
  void send(WaitingStanza stanza, long now) {
    senders.merge(stanza.sender(), 1, Integer::sum);
    deliver(stanza, now);
  }

  private void deliver(WaitingStanza stanza, long now) {
    if (sent.isEmpty()) {
      progress = now;
    }
    sent.add(stanza);
    sentBytes += stanza.size();
    link.deliver(stanza.envelope().stanza(), ++number, stanza.cause());
  }

  /// Has a stanza wait for room.
  void add(WaitingStanza stanza) {
    senders.merge(stanza.sender(), 1, Integer::sum);
    waiting.add(stanza);
  }

  /// The bytes of the stanzas up to that number have left. Returns these stanzas.
  List<WaitingStanza> written(long upTo, long now) {
    progress = now;
    long first = number - sent.size() + 1;
    List<WaitingStanza> left = new ArrayList<>();
    for (long each = first; each <= upTo && !sent.isEmpty(); each++) {
      WaitingStanza stanza = sent.remove();
      sentBytes -= stanza.size();
      forget(stanza);
      left.add(stanza);
    }
    return left;
  }

  /// Sends the stanza that has waited longest, if there is room for it; returns it, or null.
  @Nullable WaitingStanza sendNext(long now) {
    WaitingStanza next = waiting.peek();
    if (next == null || !fits(next)) {
      return null;
    }
    waiting.remove();
    deliver(next, now);
    return next;
  }

  /// Takes the stanza that has waited longest, if it came before that time; otherwise null.
  @Nullable WaitingStanza takeOlder(long time) {
    WaitingStanza next = waiting.peek();
    if (next == null || next.since() > time) {
      return null;
    }
    waiting.remove();
    forget(next);
    return next;
  }

  private void forget(WaitingStanza stanza) {
    senders.computeIfPresent(stanza.sender(), (sender, own) -> own == 1 ? null : own - 1);
  }

  /// Whether bytes are on their way and none has left since that time.
  boolean isStuckSince(long time) {
    return isOpen() && !sent.isEmpty() && progress <= time;
  }

  /// What is on its way, oldest first.
  List<WaitingStanza> sent() {
    return List.copyOf(sent);
  }

  /// What waits for room, oldest first.
  List<WaitingStanza> waiting() {
    return List.copyOf(waiting);
  }

  /// Whether nothing is on its way, and nothing waits.
  boolean isIdle() {
    return sent.isEmpty() && waiting.isEmpty();
  }

  /// How well this connection suits that sender, compared with others: the best one changes for few
  /// senders when a connection comes or goes.
  int rank(Jid sender) {
    int mixed = (sender.hashCode() * 0x9E3779B9) ^ (seed * 0xC2B2AE35);
    mixed = (mixed ^ (mixed >>> 16)) * 0x85EBCA6B;
    return mixed ^ (mixed >>> 13);
  }
}
