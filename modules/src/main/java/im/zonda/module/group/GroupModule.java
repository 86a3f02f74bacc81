package im.zonda.module.group;

import im.zonda.account.AccountRegistration;
import im.zonda.config.ServerConfig;
import im.zonda.group.GroupDirectory;
import im.zonda.group.ProvidedGroups;
import im.zonda.group.SharedGroups;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.store.AccountAddresses;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Shared groups: everyone in a group has the others in the contact list. Must be installed before
/// the roster module, which shows them.
public final class GroupModule implements XmppModule {
  /// The key-value store of accounts, and of the host itself.
  public static final String STORE = StoredGroups.STORE;

  private final SharedGroups groups = new Installed();
  private volatile BiConsumer<GroupDirectory, GroupDirectory> listener = (before, after) -> {};
  private volatile @Nullable HostGroups installed;

  /// The groups as other modules see them: none while this module is switched off.
  private final class Installed implements SharedGroups {
    @Override
    public GroupDirectory load() {
      HostGroups now = installed;
      return now == null ? GroupDirectory.EMPTY : now.load();
    }

    @Override
    public GroupDirectory current() {
      HostGroups now = installed;
      return now == null ? GroupDirectory.EMPTY : now.current();
    }

    @Override
    public void missed(Jid account) {
      HostGroups now = installed;
      if (now != null) {
        now.missed(account);
      }
    }

    @Override
    public void onChange(BiConsumer<GroupDirectory, GroupDirectory> observer) {
      listener = observer;
    }
  }

  /// The groups, for the modules that show them.
  public SharedGroups groups() {
    return groups;
  }

  @Override
  public String name() {
    return "group";
  }

  @Override
  public Ports ports() {
    return Ports.of(AccountAddresses.class, AccountRegistration.class, ProvidedGroups.class)
        .withKeyValues(STORE);
  }

  @Override
  public void install(ModuleContext context) {
    HostGroups host = new HostGroups(context, (before, after) -> listener.accept(before, after));
    installed = host;
    host.start();
    new GroupActions(host, context.port(AccountRegistration.class), context.domain())
        .offers()
        .forEach(context::offer);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    HostGroups host = installed;
    if (host != null && !before.group().equals(after.group())) {
      host.refresh();
    }
    return true;
  }

  @Override
  public void stop() {
    HostGroups host = installed;
    installed = null;
    if (host != null && host.current() != GroupDirectory.EMPTY) {
      listener.accept(host.current(), GroupDirectory.EMPTY);
    }
  }
}
