package im.zonda.module.admin.operation;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ClientAccess;
import im.zonda.module.ClientAccess.Client;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.AccountTasks;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations on the clients that have logged in to accounts, and their tokens.
public final class DeviceOperations {
  /// Client access management (XEP-0494): the request by which an account revokes a client.
  private static final String ACCESS = "urn:xmpp:cam:0";

  /// A client.
  public record Device(
      @Field("the identifier") String device,
      @Field("the name of the program") @Nullable String software,
      @Field("the name of the machine") @Nullable String name,
      @Field("when it first logged in") Instant firstSeen,
      @Field("when it last logged in, to the hour") Instant lastSeen,
      @Field("whether it has proved the current password") boolean knowsPassword,
      @Field("whether it can log in by a token") boolean hasToken) {}

  /// The clients of an account.
  public record Devices(
      @Field("the clients, the one that was seen last first") List<Device> devices) {}

  /// A client of an account.
  public record Chosen(
      @Field("the address of the account") Jid account,
      @Field("the identifier of the client") String device) {}

  /// `device.list`.
  public static final Operation<AccountOperations.Chosen, Devices> LIST =
      Operation.read("device.list", Right.ACCOUNTS)
          .at(
              "GET /accounts/{account}/devices",
              "List the clients that have logged in to an account",
              AccountOperations.Chosen.class,
              Devices.class);

  /// `device.remove`.
  public static final Operation<Chosen, Nothing> REMOVE =
      Operation.destroy("device.remove", Right.ACCOUNTS)
          .at(
              "DELETE /accounts/{account}/devices/{device}",
              "Revoke the token of a client, end its sessions and forget it",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, REMOVE);

  private final AccountRegistration accounts;
  private final ClientAccess clients;
  private final AccountTasks tasks;

  /// @param context has the accounts of the host
  public DeviceOperations(ModuleContext context, AccountTasks tasks) {
    accounts = context.port(AccountRegistration.class);
    clients = context.port(ClientAccess.class);
    this.tasks = tasks;
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(LIST.by((_, chosen) -> list(chosen.account().bare())), REMOVE.by(this::remove));
  }

  private Outcome<Devices> list(Jid account) {
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    return Outcome.done(
        new Devices(clients.list(account).stream().map(DeviceOperations::device).toList()));
  }

  private static Device device(Client client) {
    return new Device(
        client.id(),
        client.software(),
        client.device(),
        client.firstSeen(),
        client.lastSeen(),
        client.knowsPassword(),
        client.hasToken());
  }

  private Outcome<Nothing> remove(Call call, Chosen chosen) throws InterruptedException {
    Jid account = chosen.account().bare();
    Client client =
        clients.list(account).stream()
            .filter(each -> each.id().equals(chosen.device()))
            .findFirst()
            .orElse(null);
    if (client == null) {
      return Outcome.notFound(account + " has no client " + chosen.device() + ".");
    }
    // Before its sessions end, or it could log in again by its token.
    clients.remove(account, client.id());
    Element revoke = Element.builder(ACCESS, "revoke").attribute("id", client.id()).build();
    boolean ended = tasks.askOwn(account, revoke);
    call.changed("device", client.software() + " " + client.id(), null);
    call.changed("sessions of the device ended", null, Boolean.toString(ended));
    return Nothing.done();
  }
}
