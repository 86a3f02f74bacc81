package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Edges: processes that keep the connections of clients for this server.
public record Edges(
    @Setting(value = "addresses to listen on for edges; empty accepts none", form = Form.ADDRESS)
        List<String> listen,
    @Setting("PEM file with the certificate that this server presents to edges")
        @Nullable Path certificate,
    @Setting("PEM file with the private key of that certificate") @Nullable Path key,
    @Setting("PEM file with the authorities whose certificates edges may present")
        @Nullable Path ca,
    @Setting(value = "maximum number of clients of one edge", min = 1, max = 1_000_000)
        int clients) {
  /// No edges.
  public static final Edges DEFAULTS = new Edges(List.of(), null, null, null, 50_000);

  /// Copies the list.
  public Edges {
    listen = List.copyOf(listen);
  }
}
