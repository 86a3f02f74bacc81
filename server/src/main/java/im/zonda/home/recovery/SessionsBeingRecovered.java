package im.zonda.home.recovery;

import im.zonda.account.GuestAddress;
import im.zonda.cluster.replica.Replication;
import im.zonda.home.account.AccountHome;
import im.zonda.home.account.AccountRegistry;
import im.zonda.home.delivery.InboundStanzas;
import im.zonda.home.session.LocalSession;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds stanzas for sessions that were lost with their node as long as their streams, which are at
/// other processes ([im.zonda.link.keeper]), may recover them. Without that, errors would be
/// returned and rooms would remove the occupants.
///
/// Chat is not held: it goes to the account's other sessions or its log, where the recovered
/// session finds it.
public final class SessionsBeingRecovered implements HeldStanzas {
  private static final Logger LOG = LoggerFactory.getLogger(SessionsBeingRecovered.class);

  /// The most stanzas that are held at one home; further ones are answered as for a session that
  /// has ended.
  private static final int MOST = 1_000;

  private final AccountRegistry registry;
  private final Replication replication;
  private final InboundStanzas inbound;

  /// @param inbound handles the stanzas in the end
  public SessionsBeingRecovered(AccountRegistry registry, InboundStanzas inbound) {
    this.registry = registry;
    this.replication = registry.homes().nodes().replication();
    this.inbound = inbound;
  }

  @Override
  public boolean hold(AccountHome home, Envelope envelope) {
    if (!mayHaveSessions(home) || !areAbsent(home, envelope)) {
      return false;
    }
    List<Envelope> held = home.heldForRecovery();
    long millis = replication.awaitsSessions(home.jid());
    if (millis == 0 || held.size() >= MOST || !mayWait(envelope.stanza())) {
      return false;
    }
    envelope.origin().hold();
    if (held.isEmpty()) {
      registry.submitLater(Duration.ofMillis(millis), home.jid(), later -> handle(later, null));
    }
    held.add(envelope);
    return true;
  }

  private static boolean mayHaveSessions(AccountHome home) {
    return home.exists() || GuestAddress.isGuest(home.jid());
  }

  /// Whether the home has none of the sessions that the envelope is for. A message for several does
  /// not wait while it has one: the recovered sessions find it in the archive.
  private static boolean areAbsent(AccountHome home, Envelope envelope) {
    if (!isAbsent(home, envelope.stanza().to())) {
      return false;
    }
    for (Jid other : envelope.others()) {
      if (!isAbsent(home, other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAbsent(AccountHome home, @Nullable Jid address) {
    String resource = address == null ? null : address.resource();
    return resource != null && home.session(resource) == null;
  }

  private static boolean isFor(Envelope envelope, String resource) {
    return envelope.sessions().stream().anyMatch(each -> resource.equals(each.resource()));
  }

  private static boolean mayWait(Stanza stanza) {
    return !(stanza instanceof Message message) || message.type() != Message.Type.CHAT;
  }

  @Override
  public void recovered(AccountHome home, LocalSession session) {
    handle(home, session.jid().resource());
  }

  /// Handles the stanzas held for that resource, or all if it is null, before other tasks of the
  /// home.
  private void handle(AccountHome home, @Nullable String resource) {
    for (Envelope envelope : take(home, resource).reversed()) {
      registry.submitNext(home, envelope, later -> inbound.accept(later, envelope));
      envelope.origin().release();
    }
  }

  @Override
  public void replaced(AccountHome home, Jid session) {
    for (Envelope envelope : take(home, session.resource())) {
      List<Jid> left = envelope.sessions().stream().filter(each -> !each.equals(session)).toList();
      boolean isOver = left.isEmpty();
      Envelope former = envelope.withSessions(List.of(session));
      registry
          .routes()
          .errors()
          .reject(
              isOver ? former : former.withAuthor(null),
              StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      if (isOver) {
        envelope.origin().release();
      } else {
        home.heldForRecovery().add(envelope.withSessions(left));
      }
    }
  }

  @Override
  public void left(AccountHome home) {
    for (Envelope envelope : take(home, null)) {
      try {
        registry.routes().route(envelope);
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("home", home.jid()).setCause(e).log("kept_stanza_not_routed");
      } finally {
        envelope.origin().release();
      }
    }
  }

  private static List<Envelope> take(AccountHome home, @Nullable String resource) {
    if (home.heldForRecovery().isEmpty()) {
      return List.of();
    }
    List<Envelope> taken = new ArrayList<>();
    for (Iterator<Envelope> each = home.heldForRecovery().iterator(); each.hasNext(); ) {
      Envelope envelope = each.next();
      if (resource == null || isFor(envelope, resource)) {
        each.remove();
        taken.add(envelope);
      }
    }
    return taken;
  }
}
