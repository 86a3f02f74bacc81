package im.zonda.auth;

import im.zonda.jid.Jid;
import im.zonda.module.ClientAccess;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import java.util.List;

/// The known clients as modules see them: without tokens and without what is known of the password.
///
/// @param accounts the accounts
/// @param clients their clients
public record KnownClientAccess(AccountStore accounts, KnownClients clients)
    implements ClientAccess {
  @Override
  public List<Client> list(Jid jid) {
    Account account = accounts.find(jid);
    return account == null
        ? List.of()
        : clients.all(jid).stream().map(client -> view(client, account)).toList();
  }

  private static Client view(KnownClient client, Account account) {
    boolean current = client.isCurrent(account);
    return new Client(
        client.id(),
        client.software(),
        client.device(),
        client.firstSeen(),
        client.lastSeen(),
        current,
        current && (client.current() != null || client.fresh() != null));
  }

  @Override
  public void remove(Jid jid, String id) {
    clients.remove(jid, id);
  }
}
