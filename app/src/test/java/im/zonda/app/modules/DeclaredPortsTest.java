package im.zonda.app.modules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.account.AccountRegistration;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.XmppModule;
import im.zonda.store.AccountStore;
import im.zonda.store.RosterStore;
import im.zonda.testkit.server.ServerPlan;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A module gets the ports that it declares and no others.
class DeclaredPortsTest {
  /// @param use what it does when it is installed
  private record Module(String name, Ports ports, Consumer<ModuleContext> use)
      implements XmppModule {
    @Override
    public void install(ModuleContext context) {
      use.accept(context);
    }
  }

  private static void start(Module... modules) throws Exception {
    ServerPlan.of(() -> List.of(modules)).startInMemory().close();
  }

  private static void refused(String reason, Module... modules) {
    assertThatThrownBy(() -> start(modules))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void aDeclaredPortIsGiven() throws Exception {
    Ports ports = Ports.of(RosterStore.class, AccountRegistration.class).withKeyValues("notes");
    start(
        new Module(
            "curious",
            ports,
            context -> {
              assertThat(context.port(RosterStore.class)).isNotNull();
              assertThat(context.port(AccountRegistration.class)).isNotNull();
              assertThat(context.keyValues("notes")).isNotNull();
            }));
  }

  @Test
  void aPortThatWasNotDeclaredIsNotGiven() {
    refused(
        "module curious has not declared im.zonda.store.RosterStore",
        new Module("curious", Ports.NONE, context -> context.port(RosterStore.class)));
    refused(
        "module curious has not declared the store notes",
        new Module(
            "curious", Ports.NONE.withKeyValues("others"), context -> context.keyValues("notes")));
  }

  @Test
  void theKeysOfAccountsAreNoPort() {
    refused(
        "a port that does not exist: im.zonda.store.AccountStore",
        new Module("curious", Ports.of(AccountStore.class), context -> {}));
    refused(
        "declares a store of the server: clients",
        new Module("curious", Ports.NONE.withKeyValues("clients"), context -> {}));
  }

  @Test
  void twoModulesDoNotShareAStore() throws Exception {
    Ports notes = Ports.NONE.withKeyValues("notes");
    refused(
        "modules one and two declare the same store",
        new Module("one", notes, context -> {}),
        new Module("two", notes, context -> {}));
    start(
        new Module("one", notes, context -> {}),
        new Module("two", Ports.NONE.withRoomKeyValues("notes"), context -> {}));
  }

  @Test
  void declarationsAreMadeDuringInstall() throws Exception {
    ModuleContext[] kept = new ModuleContext[1];
    start(new Module("late", Ports.NONE, context -> kept[0] = context));
    assertThatThrownBy(() -> kept[0].advertise("test:late"))
        .isInstanceOf(IllegalStateException.class);
  }
}
