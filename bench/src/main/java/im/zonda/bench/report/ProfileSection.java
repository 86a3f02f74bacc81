package im.zonda.bench.report;

import im.zonda.bench.plot.StackedBars;
import im.zonda.bench.result.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The shares of a profile beside those of the document of 2005.
final class ProfileSection {
  private static final String SCENARIO = "profile";
  private static final String WIRE = "network and XML";
  private static final String TEXT = "JIDs and strings";
  private static final String OTHER = "everything else";

  /// Parts of a bar: categories with one colour.
  private enum Group {
    NETWORK("network (2.4.0: with XML)", 0, "share-network"),
    XML("XML", 7, "share-xml"),
    ADDRESSES("JIDs (2.3.0, 2.4.0: strings)", 1, "share-addresses"),
    STORAGE("storage", 2, "share-storage"),
    SECURITY("login and TLS", 3, "share-login", "share-tls"),
    ROUTING("routing, modules, plugins", 4, "share-routing", "share-plugins"),
    COLLECTOR("compilers and collector", 6, "share-compiler", "share-collector"),
    REST("rest", 5, "share-rest");

    private final String words;
    private final int color;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> figures;

    Group(String words, int color, String... figures) {
      this.words = words;
      this.color = color;
      this.figures = List.of(figures);
    }

    StackedBars.Part of(Result result) {
      double percent =
          figures.stream()
              .mapToDouble(name -> Figures.value(result, name))
              .filter(value -> value > 0)
              .sum();
      return new StackedBars.Part(words, color, percent);
    }
  }

  private ProfileSection() {}

  static void write(Html html, List<Result> results) {
    if (!results.getFirst().run().scenario().equals(SCENARIO)) {
      return;
    }
    List<StackedBars.Bar> bars = new ArrayList<>();
    bars.add(
        new StackedBars.Bar(
            "Messenger 2.3.0",
            List.of(
                new StackedBars.Part("String", 1, 62),
                new StackedBars.Part(OTHER + ", network and XML included", 5, 38))));
    bars.add(
        new StackedBars.Bar(
            "Openfire 2.4.0",
            List.of(
                new StackedBars.Part(WIRE, 0, 51),
                new StackedBars.Part("String", 1, 5),
                new StackedBars.Part(OTHER, 5, 44))));
    results.forEach(result ->
        bars.add(
            new StackedBars.Bar(
                result.subject().name(),
                Arrays.stream(Group.values()).map(group -> group.of(result)).toList())));
    html.heading(2, "What the CPU time is for");
    html.raw("<figure>").element("figcaption", "", "Shares of the server's CPU time, %");
    legend(html);
    html.raw(
        new StackedBars(
                "Shares of the server's CPU time", "The table of figures holds these values.", bars)
            .draw());
    html.raw("</figure>");
    html.paragraph(
        "The first two bars are from the text of the document of 2005, whose profile was of Java code"
            + " only: compare without the compilers and the collector. It counted strings wherever"
            + " they were handled; here a string counts for what it was handled for, and the figure "
            + TEXT
            + " counts them as the document did.");
  }

  private static void legend(Html html) {
    html.raw("<ul class=\"legend\">");
    for (Group group : Group.values()) {
      html.raw(
          "<li><svg viewBox=\"0 0 22 10\" aria-hidden=\"true\"><rect class=\"a"
              + group.color
              + "\" width=\"22\" height=\"10\"/></svg>"
              + group.words
              + "</li>");
    }
    html.raw("</ul>");
  }
}
