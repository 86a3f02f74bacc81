package im.zonda.bench.target;

import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Makes targets from the options of a run.
public final class Targets {
  /// The options of a target, besides `--server`.
  public static final List<Option> OPTIONS = TargetOptions.ALL;

  /// The servers that can be started.
  public static final List<String> SERVERS =
      List.of(
          "zonda",
          "zonda-volatile",
          "ejabberd",
          "ejabberd-volatile",
          "prosody",
          "prosody-volatile",
          "openfire");

  private Targets() {}

  /// The targets of a run, to be used one after the other: one for each server in `--server`, or
  /// the one at `--address`.
  ///
  /// @param servers the value of `--server`, names with commas between
  /// @param options the values of [#OPTIONS]; further ones are ignored
  /// @throws IllegalArgumentException if the options contradict each other, or name no server
  /// @throws IOException if a server is not installed
  public static List<Target> of(String servers, Options options) throws IOException {
    TargetOptions given = new TargetOptions(options);
    List<Target> targets = new ArrayList<>();
    if (!given.text("address").isEmpty()) {
      return List.of(new AddressTarget(given));
    }
    for (String name : servers.split(",", -1)) {
      targets.add(one(name, given));
    }
    return targets;
  }

  private static Target one(String name, TargetOptions options) throws IOException {
    return switch (name) {
      case "zonda", "zonda-volatile" -> new ZondaTarget(name, options);
      case "ejabberd" -> new PeerTarget(new Ejabberd(true), options);
      case "ejabberd-volatile" -> new PeerTarget(new Ejabberd(false), options);
      case "prosody" -> new PeerTarget(new Prosody(true), options);
      case "prosody-volatile" -> new PeerTarget(new Prosody(false), options);
      case "openfire" -> new PeerTarget(new Openfire(options.text("openfire")), options);
      default ->
          throw new IllegalArgumentException(
              "--server " + name + " is none of " + String.join(", ", SERVERS));
    };
  }
}
