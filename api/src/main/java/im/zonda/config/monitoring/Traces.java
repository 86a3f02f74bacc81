package im.zonda.config.monitoring;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Traces of messages.
public record Traces(@Setting("export of traces to a collector; off by default") Otlp otlp) {
  /// Kept by the server alone.
  public static final Traces DEFAULTS = new Traces(new Otlp(null, Map.of(), Duration.ofSeconds(5)));

  /// A collector that speaks OTLP over HTTP with JSON.
  ///
  /// @param url null for none
  public record Otlp(
      @Setting(
              value =
                  "where the steps of traced messages are sent by OTLP over HTTP, with JSON, such as"
                      + " `http://127.0.0.1:4318/v1/traces`; HTTPS, or an address of this machine;"
                      + " without it they are sent nowhere. Never what is in messages",
              form = Form.URI)
          @Nullable String url,
      @Setting(
              value =
                  "headers of each request, such as `authorization`; `${file:…}` keeps a value out of"
                      + " the configuration",
              form = Form.SECRET)
          Map<String, String> headers,
      @Setting(
              value = "time between two requests; a message whose last step is as long ago is sent",
              min = 100,
              max = 300_000)
          Duration interval) {
    /// Copies the map.
    public Otlp {
      headers = Map.copyOf(headers);
    }
  }
}
