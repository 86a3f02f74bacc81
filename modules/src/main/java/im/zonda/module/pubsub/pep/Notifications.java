package im.zonda.module.pubsub.pep;

import im.zonda.jid.Jid;
import im.zonda.module.pubsub.node.Node;
import im.zonda.module.pubsub.node.NodeOption;
import im.zonda.module.pubsub.node.Subscription;
import im.zonda.module.pubsub.owner.EventMessages;
import im.zonda.module.pubsub.owner.NodeOwner;
import im.zonda.module.pubsub.request.PubSubRequests;
import im.zonda.module.roster.Roster;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.store.PubSubStore.Last;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Sends notifications of an account's nodes (XEP-0163, section 4), during one task at its home.
///
/// Clients of the account and of contacts get what their capabilities ask for. Subscribers get the
/// rest, unless presence has already brought it to one of their clients.
final class Notifications {
  /// Nodes whose last items are read from the store at a time.
  private static final int PORTION = 8;

  private final Pep pep;
  private final Home home;
  private final NodeOwner owner;
  private int sent;

  Notifications(Pep pep, Home home) {
    this.pep = pep;
    this.home = home;
    this.owner = pep.owner(home);
  }

  /// Notifies all who get notifications of a node.
  ///
  /// @param by whose request has caused it, or null
  void notifyAll(Node node, List<Element> payloads, @Nullable Jid by) {
    notifyAll(node, payloads);
    pep.budgets().charge(by, sent, payloads);
  }

  /// Sends a message.
  ///
  /// @param by whose request has caused it, or null
  void sendOne(Jid to, Message.Type type, List<Element> payloads, @Nullable Jid by) {
    send(to, type, payloads);
    pep.budgets().charge(by, sent, payloads);
  }

  private void notifyAll(Node node, List<Element> payloads) {
    PepState state = home.state(pep.key());
    if (!state.areContactsAsked()) {
      askContacts(state);
    }
    Message.Type type = EventMessages.type(node);
    Set<Jid> reached = new HashSet<>();
    state
        .clients()
        .forEach((user, clients) -> {
          boolean own = user.equals(home.jid());
          if (!own && (isBlocked(user) || !node.notifiesContact(owner.requester(node, user)))) {
            return;
          }
          clients.forEach((resource, client) -> {
            if (client.wants(node.name()) && node.config().isOn(NodeOption.DELIVER_NOTIFICATIONS)) {
              send(user.withResource(resource), type, payloads);
              reached.add(user);
            }
          });
        });
    Map<Jid, List<String>> subscribers = new LinkedHashMap<>();
    for (Subscription each : node.subscriptions().values()) {
      Jid user = each.subscriber();
      if (!reached.contains(user.bare())
          && !isBlocked(user.bare())
          && node.notifies(each, owner.requester(node, user))) {
        subscribers.computeIfAbsent(user, missing -> new ArrayList<>()).add(each.id());
      }
    }
    subscribers.forEach((user, ids) -> send(user, type, EventMessages.withIds(payloads, ids)));
  }

  private boolean isBlocked(Jid user) {
    return pep.rosters().isPresenceBlocked(home, user);
  }

  /// Asks the contacts for their presence: a home that was loaded, or has moved, knows none.
  private void askContacts(PepState state) {
    state.contactsAsked();
    for (Session session : home.sessions()) {
      pep.context()
          .atHome(home.jid(), again -> new PresenceWatch(pep).ownPresence(again, session.jid()));
    }
    Roster roster = pep.rosters().of(home);
    roster.forEachPresenceSeen(
        pep.rosters()::canBeOnline,
        contact -> {
          if (roster.showsPresenceTo(contact) && !isBlocked(contact)) {
            pep.context()
                .send(
                    Presence.of(
                        Presence.Type.PROBE,
                        home.jid(),
                        contact,
                        pep.context().ids().next(),
                        List.of()));
          }
        });
  }

  /// Sends a message from the account's bare address.
  private void send(Jid to, Message.Type type, List<Element> payloads) {
    sent++;
    Message message =
        Message.of(
            type,
            home.jid(),
            to,
            PubSubRequests.NOTIFICATION + pep.context().ids().next(),
            payloads);
    Session session =
        to.bare().equals(home.jid()) && to.resource() != null ? home.session(to.resource()) : null;
    if (session != null) {
      session.send(message);
    } else {
      pep.context().send(message);
    }
  }

  /// Sends a client that has become available the last items of the nodes that it wants.
  ///
  /// @param only the names of nodes, or null for all
  /// @param had the features that it had before: of nodes that it already wanted it has them
  void sendLastToClient(Jid full, @Nullable Set<String> only, Set<String> had) {
    PepState.Client client = home.state(pep.key()).client(full);
    if (client == null || !client.wantsAny() || isBlocked(full.bare())) {
      return;
    }
    boolean own = full.bare().equals(home.jid());
    Set<String> wanted = new HashSet<>();
    for (Node node : pep.nodes(home)) {
      if (client.wants(node.name())
          && (only == null || only.contains(node.name()))
          && !had.contains(node.name() + PepState.NOTIFY)
          && node.config().value(NodeOption.SEND_LAST_PUBLISHED_ITEM).equals("on_sub_and_presence")
          && (own || node.notifiesContact(owner.requester(node, full)))) {
        wanted.add(node.name());
      }
    }
    sendLast(full, wanted);
  }

  /// Sends the last items of nodes.
  void sendLast(Jid to, Set<String> nodes) {
    List<String> names = List.copyOf(nodes);
    for (int i = 0; i < names.size(); i += PORTION) {
      sendLast(to, names.subList(i, Math.min(names.size(), i + PORTION)));
    }
  }

  private void sendLast(Jid to, List<String> names) {
    for (Last last : owner.store().lastItems(home.jid(), Set.copyOf(names))) {
      Node node = owner.find(last.node());
      List<Element> payloads =
          node == null ? null : EventMessages.lastItem(node, home.jid(), last.item(), owner.now());
      if (node != null && payloads != null) {
        send(to, EventMessages.type(node), payloads);
      }
    }
  }
}
