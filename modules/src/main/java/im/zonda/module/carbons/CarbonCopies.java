package im.zonda.module.carbons;

import im.zonda.hook.DeliveryListener;
import im.zonda.jid.Jid;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.Message;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Creates the copies (XEP-0280, sections 7 and 8).
final class CarbonCopies implements DeliveryListener {
  static final QName RECEIVED = new QName(CarbonsModule.NAMESPACE, "received");
  static final QName SENT = new QName(CarbonsModule.NAMESPACE, "sent");

  private static final QName FORWARDED = new QName("urn:xmpp:forward:0", "forwarded");

  private final SessionKey<Boolean> enabled;
  private final StanzaIds stanzaIds;
  private final HomeKey<RecentMessages> key =
      new HomeKey<>("carbons", account -> new RecentMessages());

  CarbonCopies(SessionKey<Boolean> enabled, StanzaIds stanzaIds) {
    this.enabled = enabled;
    this.stanzaIds = stanzaIds;
  }

  /// The key of what is kept with every home.
  HomeKey<RecentMessages> key() {
    return key;
  }

  @Override
  public void delivered(Home home, Message message, List<? extends Session> targets) {
    Jid from = message.from();
    if (from == null || !mayCopy(home)) {
      return;
    }
    List<Session> others = new ArrayList<>();
    for (Session session : home.sessions()) {
      boolean has =
          targets.contains(session)
              || session.jid().equals(from)
              || (targets.isEmpty() && !session.available() && isLogged(home, message));
      if (!has && session.get(enabled) != null) {
        others.add(session);
      }
    }
    if (isEligible(home, message, from, true)) {
      copy(home, message, RECEIVED, others);
    }
  }

  @Override
  public void sent(Home home, Message message, long id, Session session) {
    Jid to = message.to();
    if (to == null || to.bare().equals(home.jid()) || !mayCopy(home)) {
      // A message to the own account is copied where it is delivered.
      return;
    }
    List<Session> others = new ArrayList<>();
    for (Session other : home.sessions()) {
      if (other.get(enabled) != null && !other.jid().equals(session.jid())) {
        others.add(other);
      }
    }
    if (isEligible(home, message, to, false)) {
      copy(home, id == 0 ? message : withStanzaId(message, home.jid(), id), SENT, others);
    }
  }

  /// Whether a session has copies enabled and there is another one, or its priority is negative.
  private boolean mayCopy(Home home) {
    if (!home.exists()) {
      return false; // a guest has one session
    }
    List<? extends Session> sessions = home.sessions();
    for (int i = 0; i < sessions.size(); i++) {
      Session session = sessions.get(i);
      if (session.get(enabled) != null && (sessions.size() > 1 || session.priority() < 0)) {
        return true;
      }
    }
    return false;
  }

  /// An error is eligible if the message that it answers was.
  private boolean isEligible(Home home, Message message, Jid peer, boolean received) {
    if (message.isError()) {
      return !Eligibility.isExcluded(message) && home.state(key).contains(peer, message.id());
    }
    boolean eligible = Eligibility.isEligible(message, received);
    if (eligible) {
      home.state(key).add(peer, message.id());
    }
    return eligible;
  }

  /// The copies share their bytes except for the address.
  private static void copy(Home home, Message message, QName wrapper, List<Session> others) {
    if (others.isEmpty()) {
      return;
    }
    Element forwarded = Element.builder(FORWARDED).child(message.toElement()).build();
    Element wrapped = Element.builder(wrapper).child(forwarded).build();
    Message copy = Message.of(message.type(), home.jid(), null, null, List.of(wrapped));
    for (Session other : others) {
      other.send(copy.withAddresses(home.jid(), other.jid()));
    }
  }

  /// Whether the message is in the account's log.
  private static boolean isLogged(Home home, Message message) {
    String account = home.jid().toString();
    for (Element payload : message.payloads()) {
      if (payload.name().equals(StanzaIds.NAME) && account.equals(payload.attribute("by"))) {
        return true;
      }
    }
    return false;
  }

  private Message withStanzaId(Message message, Jid by, long id) {
    return message.withPayload(StanzaIds.NAME, stanzaIds.element(by, id));
  }

  /// The most recent eligible messages, to recognize errors that answer them: a ring of hashes,
  /// allocated with the first.
  static final class RecentMessages {
    private static final int CAPACITY = 64;

    private long @Nullable [] digests;
    private int next;

    void add(Jid peer, @Nullable String id) {
      if (id == null) {
        return;
      }
      if (digests == null) {
        digests = new long[CAPACITY];
      }
      digests[next] = digest(peer, id);
      next = (next + 1) % CAPACITY;
    }

    boolean contains(Jid peer, @Nullable String id) {
      if (id == null || digests == null) {
        return false;
      }
      long wanted = digest(peer, id);
      for (long digest : digests) {
        if (digest == wanted) {
          return true;
        }
      }
      return false;
    }

    /// Of the bare address: any client of an account may answer.
    private static long digest(Jid peer, String id) {
      return ((long) peer.bare().hashCode() << 32) ^ (id.hashCode() & 0xFFFF_FFFFL);
    }
  }
}
