package im.zonda.module.pubsub.pep;

import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.pubsub.caps.Caps;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.Requester;
import im.zonda.module.pubsub.owner.Leases;
import im.zonda.module.pubsub.owner.PubSubXml;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Presence;
import im.zonda.store.RosterItem;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Learns from presence which clients want which notifications, and sends them the last items
/// (XEP-0163, section 4.3.4; XEP-0060, section 9).
///
/// A contact's client gets the last items when its presence comes to the bare address, which is
/// when it becomes available. Presence to a full address answers a probe of the account's own
/// client: the contact's client may have received the items long ago, and gets only those that were
/// published since the home was loaded.
public final class PresenceWatch {
  private final Pep pep;

  public PresenceWatch(Pep pep) {
    this.pep = pep;
  }

  /// Presence arrives at the account. Does not block.
  public Verdict arriving(Presence presence, Home home) {
    Jid from = presence.from();
    Jid to = presence.to();
    if (from == null || to == null || !home.exists() || from.bare().equals(home.jid())) {
      return Verdict.pass();
    }
    switch (presence.type()) {
      case AVAILABLE -> available(presence, from, to.isBare(), home);
      case UNAVAILABLE, ERROR -> home.state(pep.key()).remove(from);
      case SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED, PROBE -> {}
    }
    return Verdict.pass();
  }

  private void available(Presence presence, Jid from, boolean isBroadcast, Home home) {
    PepState state = home.state(pep.key());
    RosterItem item = pep.rosters().of(home).find(from.bare());
    boolean sees = item != null && item.subscription().from();
    boolean shows = item != null && item.subscription().to();
    if (!sees && !(shows && !pep.rosters().isPresenceBlocked(home, from.bare()))) {
      state.remove(from);
      Caps caps = capsOf(presence);
      if (isBroadcast && from.isFull() && caps != null) {
        pep.context().atHome(home.jid(), again -> stranger(again, from, caps));
      }
      return;
    }
    observe(home, from, capsOf(presence), isBroadcast ? null : Set.copyOf(state.published()));
    if (!sees) {
      state.awaitApproval(from.bare());
    }
  }

  /// The roster has changed. Contacts who see the account's presence from now on, and whose clients
  /// are there already, get the last items of nodes that not everyone may read.
  ///
  /// @param query the payload of the roster push
  public void rosterChanged(Home home, Element query) {
    for (Element item : query.children()) {
      String subscription = item.attribute("subscription");
      Jid contact = PubSubXml.jid(item, "jid");
      boolean sees = "from".equals(subscription) || "both".equals(subscription);
      if (sees && contact != null && home.state(pep.key()).approve(contact)) {
        pep.context().atHome(home.jid(), again -> approved(again, contact));
      }
    }
  }

  private void approved(Home home, Jid contact) {
    Set<String> closed =
        pep.nodes(home).stream()
            .filter(node -> !node.notifiesContact(Requester.stranger(contact)))
            .map(Node::name)
            .collect(Collectors.toSet());
    Map<String, PepState.Client> clients =
        home.state(pep.key()).clients().getOrDefault(contact, Map.of());
    for (String resource : List.copyOf(clients.keySet())) {
      new Notifications(pep, home)
          .sendLastToClient(contact.withResource(resource), closed, Set.of());
    }
  }

  /// Someone who does not see the account's presence has sent presence to the account: that is a
  /// subscription to its open nodes for as long as the presence lasts (XEP-0060, section 9.1).
  /// Without such a node nothing is asked, which would reveal that the account exists.
  private void stranger(Home home, Jid from, @Nullable Caps caps) {
    boolean open =
        home.exists()
            && !pep.rosters().isPresenceBlocked(home, from.bare())
            && pep.nodes(home).stream()
                .anyMatch(node -> node.notifiesContact(Requester.stranger(from)));
    if (open) {
      home.state(pep.key()).admit(from.bare());
      observe(home, from, caps, null);
    }
  }

  /// What an account has published to nodes that are configured so goes with its last available
  /// session.
  private void offline(Home home, Session gone) {
    boolean last =
        home.sessions().stream()
            .noneMatch(each -> each.available() && !each.jid().equals(gone.jid()));
    if (last) {
      pep.context()
          .atHome(
              home.jid(),
              again -> {
                if (again.sessions().stream().noneMatch(Session::available)) {
                  for (Node node : pep.nodes(again)) {
                    Leases.unavailable(pep.owner(again), node, again.jid(), true);
                  }
                }
              });
    }
  }

  /// A session of the account broadcasts presence, which is handled next. Does not block.
  public Verdict sent(Presence presence, Home home, @Nullable Session session) {
    if (session == null || presence.to() != null || !home.exists()) {
      return Verdict.pass();
    }
    Jid full = session.jid();
    if (presence.type() == Presence.Type.UNAVAILABLE) {
      home.state(pep.key()).remove(full);
      session.set(pep.sent(), null);
      if (session.available()) {
        offline(home, session);
      }
    } else if (presence.type() == Presence.Type.AVAILABLE) {
      if (!session.available()) {
        // The contacts are probed for the session.
        home.state(pep.key()).contactsAsked();
      }
      pep.context().atHome(home.jid(), again -> ownPresence(again, full));
    }
    return Verdict.pass();
  }

  /// A session of the account is available, or has broadcast another presence.
  void ownPresence(Home home, Jid full) {
    String resource = full.resource();
    Session session = resource == null ? null : home.session(resource);
    Presence presence = session == null ? null : session.presence();
    if (session == null || presence == null) {
      return;
    }
    Caps caps = capsOf(presence);
    String version = caps == null ? "" : caps.version();
    boolean had = version.equals(session.get(pep.sent()));
    session.set(pep.sent(), version);
    observe(home, full, caps, had ? Set.copyOf(home.state(pep.key()).published()) : null);
  }

  /// A session of the account has ended.
  public void ended(Home home, Session session) {
    if (home.exists()) {
      home.state(pep.key()).remove(session.jid());
      if (session.presence() != null) {
        offline(home, session);
      }
    }
  }

  /// Learns what a client wants, unless it is known, and sends it last items.
  ///
  /// @param only the names of nodes, or null for all
  private void observe(Home home, Jid full, @Nullable Caps caps, @Nullable Set<String> only) {
    PepState state = home.state(pep.key());
    PepState.Client before = state.client(full);
    if (full.resource() == null || (before != null && equal(caps, before.caps()))) {
      return;
    }
    PepState.Client client = state.put(full, caps);
    if (caps == null) {
      return;
    }
    Jid account = home.jid();
    Set<String> known = pep.learner().find(caps);
    if (known != null) {
      client.learned(known);
      sendLast(account, full, before, client, only);
      return;
    }
    pep.learner()
        .learn(
            account,
            full,
            caps,
            features ->
                pep.context()
                    .atHome(
                        account,
                        again -> {
                          PepState.Client now = again.state(pep.key()).client(full);
                          if (now != null && equal(now.caps(), caps)) {
                            now.learned(features);
                            sendLast(account, full, before, now, only);
                          }
                        }));
  }

  private @Nullable Caps capsOf(Presence presence) {
    Caps caps = Caps.of(presence);
    return caps == null ? null : pep.learner().share(caps);
  }

  private static boolean equal(@Nullable Caps one, @Nullable Caps other) {
    return one == null ? other == null : one.equals(other);
  }

  private void sendLast(
      Jid account,
      Jid full,
      PepState.@Nullable Client before,
      PepState.Client client,
      @Nullable Set<String> only) {
    if (client.wantsAny() && (only == null || !only.isEmpty())) {
      Set<String> had = before == null ? Set.of() : before.features();
      pep.context()
          .atHome(
              account, again -> new Notifications(pep, again).sendLastToClient(full, only, had));
    }
  }
}
