package im.zonda.host.removal;

import im.zonda.account.RemovedUser;
import im.zonda.jid.Jid;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterItem;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.xml.QName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Removes from the stores what someone else has about a removed user, where no home has it in
/// memory: of hosts, services and modules that are not installed. Blocks.
record StoredTraces(Stores stores) {
  private static final String NONE = "none";

  /// @param kind the payload of the request that nobody answers
  /// @param owner the room, the contact, or the owner of the node
  /// @param node the name of the node, or null
  void remove(QName kind, Jid user, Jid owner, @Nullable String node) {
    if (kind.equals(RemovedUser.ROOM)) {
      removeFromRoom(user, owner);
    } else if (kind.equals(RemovedUser.CONTACT)) {
      removeFromRoster(user, owner);
    } else if (node != null) {
      removeFromNode(user, owner, node);
    }
  }

  private void removeFromRoom(Jid user, Jid room) {
    RoomStore.Stored stored = stores.rooms().find(room);
    if (stored != null) {
      stores
          .rooms()
          .save(stored.room(), List.of(new RoomStore.Affiliation(user, NONE, null, null)));
    }
  }

  private void removeFromRoster(Jid user, Jid owner) {
    for (RosterItem item : stores.rosters().load(owner).items()) {
      if (item.jid().equals(user)) {
        stores
            .rosters()
            .put(
                owner,
                new RosterItem(
                    user,
                    item.name(),
                    Subscription.NONE,
                    false,
                    false,
                    item.groups(),
                    null,
                    item.listed()));
      }
    }
  }

  private void removeFromNode(Jid user, Jid owner, String node) {
    PubSubStore.Stored stored = stores.pubSub().find(owner, node);
    if (stored != null) {
      stores
          .pubSub()
          .save(
              stored.node(),
              List.of(new PubSubStore.Affiliation(user, NONE)),
              stored.subscriptions().stream()
                  .filter(each -> each.subscriber().bare().equals(user))
                  .map(each ->
                      new PubSubStore.Subscription(
                          each.id(), each.subscriber(), NONE, each.options()))
                  .toList());
    }
  }
}
