package im.zonda.app.users;

import im.zonda.app.control.ControlCommand;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.invitations.InvitationModule;
import im.zonda.store.Stores;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// `zonda invite`: makes an invitation to create an account.
///
/// @param stores the accounts and invitations
/// @param config the configuration in force
/// @param clock the time
/// @param random source of tokens; cryptographically strong
public record InviteCommand(
    Stores stores, Supplier<ServerConfig> config, InstantSource clock, RandomGenerator random)
    implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "invite";

  private static final int ID_BYTES = 32;

  /// Makes an invitation.
  ///
  /// @param arguments the account that is to be created, as `user@host`, or the host
  @Override
  public String run(List<String> arguments) {
    ServerConfig current = config.get();
    String wanted = arguments.getFirst();
    Jid address;
    try {
      address = Jid.of(wanted);
    } catch (JidFormatException e) {
      throw new IllegalArgumentException(wanted + " is neither an account nor a host", e);
    }
    if (!address.isBare() || !current.hosts().contains(address.domain())) {
      throw new IllegalArgumentException(
          wanted + " is not of this server; its hosts are " + String.join(", ", current.hosts()));
    }
    if (address.local() != null && stores.accounts().find(address) != null) {
      throw new IllegalArgumentException(address + " exists already");
    }
    return InvitationModule.invite(
        stores.keyValues(InvitationModule.STORE),
        current.at(address.domain()),
        Jid.of(address.domain()),
        address.local(),
        clock,
        this::id);
  }

  private String id() {
    byte[] bits = new byte[ID_BYTES];
    random.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }

  /// The address for [#run]: what the user has written, or the only host.
  public static String address(@Nullable String written, List<String> hosts) {
    if (written == null) {
      if (hosts.size() != 1) {
        throw new IllegalArgumentException(
            "name a host or an account; the hosts are " + String.join(", ", hosts));
      }
      return hosts.getFirst();
    }
    return written.contains("@") || hosts.contains(written) || hosts.size() != 1
        ? written
        : written + "@" + hosts.getFirst();
  }
}
