package im.zonda.app.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Explanations of the events of the log.
public final class EventMeanings {
  private static final String FILE = "events.properties";

  private EventMeanings() {}

  /// The events by their names, in order, each with a sentence.
  public static SequencedMap<String, String> all() {
    Properties read = new Properties();
    try (InputStream in =
            Objects.requireNonNull(EventMeanings.class.getResourceAsStream(FILE), FILE);
        Reader text = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      read.load(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SequencedMap<String, String> all = new TreeMap<>();
    read.stringPropertyNames().forEach(each -> all.put(each, read.getProperty(each)));
    return all;
  }
}
