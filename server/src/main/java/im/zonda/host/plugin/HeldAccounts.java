package im.zonda.host.plugin;

import im.zonda.jid.Jid;
import im.zonda.plugin.NewAccount;
import im.zonda.plugin.PluginAccounts;
import java.util.List;
import java.util.Set;

/// The accounts, as long as the plugin runs.
///
/// @param running throws [IllegalStateException] if it was stopped
record HeldAccounts(Runnable running, PluginAccounts accounts) implements PluginAccounts {
  private PluginAccounts open() {
    running.run();
    return accounts;
  }

  @Override
  public boolean exists(Jid account) {
    return open().exists(account);
  }

  @Override
  public List<Jid> existing(List<Jid> addresses) {
    return open().existing(addresses);
  }

  @Override
  public long count(String host) {
    return open().count(host);
  }

  @Override
  public List<Jid> create(List<NewAccount> wanted) {
    return open().create(wanted);
  }

  @Override
  public List<Jid> remove(List<Jid> removed, Set<Jid> next) {
    return open().remove(removed, next);
  }
}
