package im.zonda.testkit.plugin;

import im.zonda.jid.Jid;
import im.zonda.plugin.NewAccount;
import im.zonda.plugin.PluginAccounts;
import java.util.List;

final class NoAccounts implements PluginAccounts {
  @Override
  public boolean exists(Jid account) {
    return false;
  }

  @Override
  public long count(String host) {
    return 0;
  }

  @Override
  public List<Jid> create(List<NewAccount> accounts) {
    return List.of();
  }

  @Override
  public List<Jid> remove(List<Jid> accounts) {
    return List.of();
  }
}
