package im.zonda.bench.scenario.pair;

import im.zonda.bench.load.Load;
import im.zonda.bench.xmpp.Markup;
import im.zonda.bench.xmpp.XmppClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;

/// The requests for acknowledgement (XEP-0198) of one client, one after each message. Servers
/// answer them in order. Confined to the client's loop.
final class Acknowledgements {
  /// The time from when a message was due until the server has acknowledged it.
  static final String TAG = "acknowledgement";

  private static final byte[] REQUEST =
      "<r xmlns='urn:xmpp:sm:3'/>".getBytes(StandardCharsets.US_ASCII);

  private final Load load;
  private final Queue<Long> due = new ArrayDeque<>();

  Acknowledgements(Load load) {
    this.load = load;
  }

  /// Asks for the acknowledgement of the message that was just sent.
  void ask(XmppClient client, long messageDue) {
    due.add(messageDue);
    client.send(REQUEST.clone());
  }

  /// Takes an element; whether it was an acknowledgement.
  boolean take(byte[] bytes, int from, int to, long nanos) {
    if (!Markup.startsWith(bytes, from, to, "<a ")) {
      return false;
    }
    Long first = due.poll();
    if (first != null) {
      load.latencies().record(TAG, first, nanos);
      load.counters().add("acknowledged", 1);
    }
    return true;
  }
}
