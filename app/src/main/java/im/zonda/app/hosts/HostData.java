package im.zonda.app.hosts;

import im.zonda.auth.CommonHashes;
import im.zonda.jid.Jid;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.store.KeyValueStore;
import im.zonda.store.Stores;
import java.time.Instant;
import java.util.List;

/// The data that the stores have of a virtual host that is not served.
public final class HostData {
  /// After the removal of any room.
  private static final Instant LATER = Instant.parse("9999-12-31T00:00:00Z");

  private HostData() {}

  /// Erases some accounts, rooms (also removed ones) and publish-subscribe nodes with everything
  /// they have, and what administrators have set for the host. To be called until it returns 0.
  /// Blocks.
  ///
  /// @param services the domains of the host's services
  /// @param limit the maximum number
  /// @return how many were erased
  public static int erase(Stores stores, String domain, List<String> services, int limit) {
    List<Jid> accounts = stores.accounts().list(domain, null, limit);
    accounts.forEach(stores.accounts()::remove);
    int erased = accounts.size();
    for (String service : services) {
      List<Jid> rooms =
          erased < limit ? stores.rooms().list(service, null, limit - erased) : List.of();
      rooms.forEach(stores.rooms()::remove);
      erased += rooms.size();
      erased += erased < limit ? stores.rooms().eraseRemoved(service, LATER, limit - erased) : 0;
      Jid owner = Jid.of(service);
      List<String> nodes =
          erased < limit ? stores.pubSub().list(owner, null, limit - erased) : List.of();
      nodes.forEach(node -> stores.pubSub().remove(owner, node));
      erased += nodes.size();
    }
    eraseSettings(stores, Jid.of(domain));
    return erased;
  }

  private static void eraseSettings(Stores stores, Jid host) {
    for (String name :
        List.of(
            AdminModule.STORE, AdminModule.REPORTS, InvitationModule.STORE, CommonHashes.STORE)) {
      KeyValueStore settings = stores.keyValues(name);
      settings.all(host).keySet().forEach(key -> settings.remove(host, key));
    }
  }
}
