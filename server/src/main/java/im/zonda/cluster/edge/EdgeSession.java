package im.zonda.cluster.edge;

import im.zonda.cluster.frame.Attachment;
import im.zonda.cluster.frame.ClientUpdate;
import im.zonda.cluster.frame.Delivery;
import im.zonda.cluster.frame.NodeValue;
import im.zonda.cluster.frame.Origin;
import im.zonda.cluster.frame.RoutedStanza;
import im.zonda.cluster.frame.StanzaBytes;
import im.zonda.cluster.rule.ProtocolRules;
import java.util.TreeSet;

/// One connection of a client. It counts the client's stanzas and which of them are SAFE, and sends
/// what the home says. It has no state that cannot be lost: the session is at the home.
final class EdgeSession {
  /// The client's stanzas that may be on their way. When there are more, the edge stops reading
  /// from this client.
  static final int WINDOW = 64;

  private enum Phase {
    /// The home has been asked to begin or to continue the session.
    REQUESTED,
    ATTACHED,
    /// The connection is gone. The home is told when all that it brought is SAFE.
    CLOSING,
    /// The client has ended the session.
    ENDING
  }

  private final String owner;
  private final String session;
  private final Attachment attachment;
  private final NodeValue.ToHome request;
  private final ProtocolRules rules;
  private final EdgeOutput output;
  private final TreeSet<Long> pending = new TreeSet<>();
  private Phase phase = Phase.REQUESTED;
  private boolean paused;

  /// Stanzas that the client has sent.
  private long received;

  /// Those that are SAFE without a gap, as this edge knows.
  private long handled;

  /// Those that two processes know to be SAFE: what the client was told.
  private long given;

  private long acked;
  private long written;

  /// @param request [NodeValue.Bind] or [NodeValue.Resume]
  /// @param written the number of stanzas that the client has
  EdgeSession(
      NodeValue.ToHome request,
      String session,
      Attachment attachment,
      long written,
      ProtocolRules rules,
      EdgeOutput output) {
    this.owner = request.owner();
    this.session = session;
    this.attachment = attachment;
    this.request = request;
    this.written = written;
    this.acked = written;
    this.rules = rules;
    this.output = output;
  }

  /// Says again what its home may not know.
  void sayAgain() {
    switch (phase) {
      case REQUESTED -> output.toHome(request);
      case ATTACHED -> progress();
      case CLOSING, ENDING -> {
        progress();
        leave();
      }
    }
  }

  private void progress() {
    output.toHome(new NodeValue.Progress(owner, session, attachment, handled, acked));
  }

  /// Handles a stanza of the client.
  void receive(String to, boolean stored, StanzaBytes bytes) {
    if (phase != Phase.ATTACHED) {
      return;
    }
    received++;
    pending.add(received);
    if (pending.size() >= WINDOW && !paused) {
      paused = true;
      tell(new EdgeReply.Pause());
    }
    output.route(
        to,
        new RoutedStanza(new Origin(session, received), stored, bytes),
        attachment.connection());
  }

  /// A stanza of the client is SAFE.
  void safe(long number) {
    pending.remove(number);
    long count =
        rules.handled(handled, pending.isEmpty() ? received + 1 : pending.first(), received);
    if (count > handled) {
      handled = count;
      progress();
      give(given);
    }
    if (paused && pending.size() <= WINDOW / 2) {
      paused = false;
      tell(new EdgeReply.Unpause());
    }
    leave();
  }

  private void leave() {
    if (!pending.isEmpty()) {
      return;
    }
    if (phase == Phase.CLOSING) {
      output.toHome(new NodeValue.Detached(owner, session, attachment));
    } else if (phase == Phase.ENDING) {
      output.toHome(new NodeValue.End(owner, session, attachment));
    }
  }

  /// Takes what two processes have.
  void update(ClientUpdate update) {
    if (phase == Phase.REQUESTED) {
      phase = Phase.ATTACHED;
      received = update.handled();
      handled = received;
      given = received;
      tell(new EdgeReply.Attached(received));
    }
    for (Delivery delivery : update.deliveries()) {
      if (delivery.number() > written) {
        written = delivery.number();
        tell(new EdgeReply.Deliver(delivery));
      }
    }
    give(update.handled());
  }

  private void give(long mirrored) {
    long count = rules.acknowledged(given, mirrored, handled);
    if (count != given && phase == Phase.ATTACHED) {
      given = count;
      tell(new EdgeReply.Handled(count));
    }
  }

  /// The client has so many stanzas.
  void acknowledged(long h) {
    if (h > acked && phase == Phase.ATTACHED) {
      acked = Math.min(h, written);
      progress();
    }
  }

  /// The connection is gone, or is to be closed.
  void close() {
    if (phase == Phase.REQUESTED || phase == Phase.ATTACHED) {
      tell(new EdgeReply.Close());
      phase = Phase.CLOSING;
      leave();
    }
  }

  /// The client ends the session.
  void end() {
    if (phase == Phase.ATTACHED) {
      phase = Phase.ENDING;
      leave();
    } else {
      close();
    }
  }

  private void tell(EdgeReply reply) {
    if (phase == Phase.REQUESTED || phase == Phase.ATTACHED) {
      output.toStream(attachment.connection(), reply);
    }
  }

  /// The home does not want anything more of this connection.
  void forget(EdgeReply reply) {
    tell(reply);
  }

  boolean isAttached(String id) {
    return phase == Phase.ATTACHED && session.equals(id);
  }

  /// The client's stanzas that are not SAFE.
  int pending() {
    return pending.size();
  }
}
