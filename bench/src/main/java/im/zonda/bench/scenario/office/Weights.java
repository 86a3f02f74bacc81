package im.zonda.bench.scenario.office;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/// Weights of the requests that people make.
///
/// @param of the weight of each thing
record Weights(Map<Request, Integer> of) {
  /// What people do.
  enum Request {
    /// Write to someone.
    MESSAGE,
    /// Read the roster.
    ROSTER,
    /// Read someone's vCard.
    VCARD,
    /// Change the own presence, which goes to all contacts.
    PRESENCE
  }

  private static final int MOST = 1_000_000;

  /// Copies the map.
  Weights {
    of = Map.copyOf(of);
  }

  /// Reads weights of the form `message=60,roster=10`; others are 0.
  ///
  /// @throws IllegalArgumentException if the text has another form, or all are 0
  static Weights parse(String text) {
    Map<Request, Integer> weights = new EnumMap<>(Request.class);
    for (String part : text.split(",", -1)) {
      String[] pair = part.split("=", -1);
      Request request =
          Arrays.stream(Request.values())
              .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(pair[0]))
              .findFirst()
              .orElseThrow(() -> wrong(text));
      if (pair.length != 2 || !pair[1].matches("\\d{1,6}")) {
        throw wrong(text);
      }
      weights.put(request, Integer.parseInt(pair[1]));
    }
    Weights all = new Weights(weights);
    if (all.sum() < 1 || all.sum() > MOST) {
      throw wrong(text);
    }
    return all;
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "--weights "
            + text
            + " is not of the form message=60,roster=10 with the words "
            + Arrays.stream(Request.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")));
  }

  private int sum() {
    return of.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// What someone does next.
  Request next(SplittableRandom random) {
    int left = random.nextInt(sum());
    for (Request each : Request.values()) {
      left -= of.getOrDefault(each, 0);
      if (left < 0) {
        return each;
      }
    }
    throw new IllegalStateException("the weights have another sum");
  }
}
