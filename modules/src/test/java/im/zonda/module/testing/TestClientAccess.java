package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.module.ClientAccess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Clients in memory, as a test adds them.
public final class TestClientAccess implements ClientAccess {
  private final TestStores stores;
  private final Map<Jid, List<Client>> clients = new HashMap<>();

  TestClientAccess(TestStores stores) {
    this.stores = stores;
  }

  /// Adds a client.
  public void add(Jid account, Client client) {
    clients.computeIfAbsent(account, missing -> new ArrayList<>()).add(client);
  }

  @Override
  public List<Client> list(Jid account) {
    return List.copyOf(clients.getOrDefault(account, List.of()));
  }

  @Override
  public void remove(Jid account, String id) {
    stores.writing();
    clients.getOrDefault(account, new ArrayList<>()).removeIf(each -> each.id().equals(id));
  }
}
