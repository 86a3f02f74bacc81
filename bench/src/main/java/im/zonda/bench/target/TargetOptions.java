package im.zonda.bench.target;

import im.zonda.bench.load.Option;
import im.zonda.bench.load.Options;
import im.zonda.bench.xmpp.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The options of a server under load, as they were given.
///
/// @param options by name, complete
record TargetOptions(Options options) {
  static final List<Option> ALL =
      List.of(
          new Option("address", "", "HOST:PORT of a server that runs; several with commas"),
          new Option("domain", "bench.test", "the virtual host"),
          new Option("pid", "", "number of the process at --address; several with commas"),
          new Option("register", "false", "make the accounts at --address (XEP-0077)"),
          new Option(
              "storage",
              "",
              "sqlite, postgresql, mariadb, or postgresql://USER:PASSWORD@HOST/DATABASE"),
          new Option("server-jvm", "", "further options of the server's virtual machine"),
          new Option("server-settings", "", "file whose text is added to the server's settings"),
          new Option("zonda", "", "launcher of another Zonda than this one"),
          new Option("openfire", "", "folder of an Openfire"),
          new Option("nodes", "1", "nodes of a cluster over one database"),
          new Option("edges", "0", "edges that keep the connections"),
          new Option("hosts", "1", "virtual hosts of the server"),
          new Option(
              "stop",
              "",
              "NODE:AT:SECONDS, a node that stands still from a second of the measured part on"),
          new Option("servers", "1", "servers with a domain each, connected to each other"),
          new Option("transport", "tcp", "tcp, websocket or bosh"),
          new Option("security", "none", "none, starttls or tls"));

  private static final int MOST = 100;

  String text(String name) {
    return options.text(name);
  }

  boolean is(String name) {
    return options.is(name);
  }

  /// A small number of things.
  ///
  /// @throws IllegalArgumentException if it is none
  int count(String name, int least) {
    int count = options.whole(name);
    if (count < least || count > MOST) {
      throw new IllegalArgumentException(
          "--" + name + " " + count + " is not from " + least + " to " + MOST);
    }
    return count;
  }

  String domain() {
    return text("domain");
  }

  Endpoint.Transport transport() {
    return choice("transport", Endpoint.Transport.class);
  }

  Endpoint.Security security() {
    Endpoint.Security security = choice("security", Endpoint.Security.class);
    if (security == Endpoint.Security.STARTTLS && transport() != Endpoint.Transport.TCP) {
      throw new IllegalArgumentException("--security starttls is for --transport tcp only");
    }
    return security;
  }

  private <E extends Enum<E>> E choice(String name, Class<E> type) {
    String given = text(name);
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(given))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("--" + name + " cannot be " + given));
  }

  /// A client's way to an address.
  Endpoint endpoint(InetSocketAddress address, String domain) {
    return new Endpoint(address, domain, transport(), security());
  }

  /// The addresses of `--address`.
  ///
  /// @throws IllegalArgumentException if one has another form, or is of no machine
  List<InetSocketAddress> addresses() {
    return list("address").stream().map(TargetOptions::address).toList();
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
      throw new IllegalArgumentException("--address " + text + " is not of the form HOST:PORT");
    }
    String host = text.substring(0, colon).replaceAll("[\\[\\]]", "");
    try {
      return new InetSocketAddress(
          InetAddress.getByName(host), Integer.parseInt(text.substring(colon + 1)));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("--address " + text + ": there is no such machine", e);
    }
  }

  /// The numbers of `--pid`.
  ///
  /// @throws IllegalArgumentException if one is none, or there is no such process
  List<Long> pids() {
    return list("pid").stream()
        .map(text -> {
          if (!text.matches("\\d{1,9}") || ProcessHandle.of(Long.parseLong(text)).isEmpty()) {
            throw new IllegalArgumentException("--pid " + text + ": there is no such process");
          }
          return Long.parseLong(text);
        })
        .toList();
  }

  private List<String> list(String name) {
    return text(name).isEmpty() ? List.of() : List.of(text(name).split(",", -1));
  }

  /// What is added to the settings of the server.
  String moreSettings() throws IOException {
    String file = text("server-settings");
    return file.isEmpty() ? "" : Files.readString(Path.of(file));
  }

  /// The options that are not the usual ones, for the result.
  List<String> unusual() {
    return ALL.stream()
        .filter(each -> !List.of("domain", "pid", "address", "register").contains(each.name()))
        .filter(each -> !text(each.name()).equals(each.usual()))
        .map(each -> "--" + each.name() + " " + text(each.name()))
        .toList();
  }

  /// Refuses options that a kind of server does not have.
  void refuse(String server, String... names) {
    for (String name : names) {
      ALL.stream()
          .filter(each -> each.name().equals(name) && !text(name).equals(each.usual()))
          .findFirst()
          .ifPresent(each -> {
            throw new IllegalArgumentException("--" + name + " is not for " + server);
          });
    }
  }
}
