package im.zonda.bench.target;

import im.zonda.bench.process.Addresses;
import im.zonda.bench.process.Certificates;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Settings of a Zonda: as they are by default, but for addresses, and for rates that loads exceed.
///
/// @param domains the virtual hosts
/// @param data the data folder
/// @param clients where clients connect, with and without STARTTLS
/// @param clientsTls where clients connect with TLS
/// @param http where browsers connect
/// @param https where browsers connect with TLS
record ZondaSettings(
    List<String> domains,
    Path data,
    InetSocketAddress clients,
    InetSocketAddress clientsTls,
    InetSocketAddress http,
    InetSocketAddress https) {

  /// The text of the file.
  ///
  /// @param sections further sections by name, with their keys
  /// @param more what a user adds
  String text(Map<String, String> sections, String more) {
    StringBuilder text = new StringBuilder();
    text.append("hosts = ").append(list(domains)).append('\n');
    text.append("data = \"").append(data).append("\"\n");
    section(text, "c2s", "listen", clients, clientsTls);
    text.append("plaintext = \"loopback\"\n");
    section(text, "http", "listen", http, https);
    text.append("url = \"https://").append(Addresses.text(https)).append("\"\n");
    text.append("[limits.pubsub]\nnotifications = 0\nuser-subscriptions = 10000\n");
    text.append("[rooms]\nmessage-rate = 0\npresence-rate = 0\n");
    text.append("[services.uploads]\nday-files = 1000000\nday-bytes = \"1024GiB\"\n");
    text.append("account-bytes = \"1024GiB\"\nsimultaneous-per-account = 1000\n");
    text.append("simultaneous = 1000\n");
    text.append("[registration]\nenabled = true\nrate-limit = \"off\"\n");
    sections.forEach((name, keys) -> text.append('[').append(name).append("]\n").append(keys));
    return text.append(more).toString();
  }

  private static void section(
      StringBuilder text,
      String name,
      String key,
      InetSocketAddress address,
      @Nullable InetSocketAddress tls) {
    text.append('[').append(name).append("]\n");
    text.append(key).append(" = ").append(list(List.of(Addresses.text(address)))).append('\n');
    text.append(key).append("-tls = ");
    text.append(list(tls == null ? List.of() : List.of(Addresses.text(tls)))).append('\n');
  }

  /// A list of texts.
  static String list(List<String> texts) {
    return texts.stream()
        .map(each -> "\"" + each + "\"")
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /// The settings of an edge.
  ///
  /// @param cores where the nodes accept edges
  /// @param tcp where clients connect, with STARTTLS or without, and with TLS
  /// @param web where browsers connect with TLS
  static String edge(
      List<InetSocketAddress> cores,
      Certificates certificates,
      List<InetSocketAddress> tcp,
      InetSocketAddress web) {
    StringBuilder text = new StringBuilder("[edge]\n");
    List<String> texts = new ArrayList<>();
    cores.forEach(each -> texts.add(Addresses.text(each)));
    text.append("cores = ").append(list(texts)).append('\n').append(files(certificates));
    text.append("ca = \"").append(certificates.certificate()).append("\"\n");
    section(text, "c2s", "listen", tcp.getFirst(), tcp.getLast());
    text.append("plaintext = \"loopback\"\n");
    text.append("[http]\nlisten-tls = ").append(list(List.of(Addresses.text(web)))).append('\n');
    return text.append("[tls]\n").append(files(certificates)).toString();
  }

  /// The keys of a certificate.
  static String files(Certificates certificates) {
    return "certificate = \""
        + certificates.certificate()
        + "\"\nkey = \""
        + certificates.key()
        + "\"\n";
  }
}
