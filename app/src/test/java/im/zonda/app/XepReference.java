package im.zonda.app;

import im.zonda.module.Xep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Generates the list of implemented XEPs from the [Xep] annotations: a Markdown page and a DOAP
/// file (XEP-0453). The result does not depend on the order of the classes.
final class XepReference {
  private static final String MODULES = "im.zonda.module.";
  private static final List<Integer> RFCS = List.of(6120, 6121, 7395, 7590, 7622);

  /// One XEP, merged from all classes that implement it.
  private record Entry(
      int number, String version, String title, Set<String> notes, Set<String> places) {}

  private final List<Entry> entries;

  private XepReference(List<Entry> entries) {
    this.entries = entries;
  }

  /// Reads the annotations of `classes`; ignores classes without one.
  ///
  /// @throws IllegalArgumentException if two classes name the same XEP with another version or
  ///   title
  static XepReference of(Collection<? extends Class<?>> classes) {
    Map<Integer, Entry> byNumber = new TreeMap<>();
    for (Class<?> type : classes) {
      for (Xep xep : type.getAnnotationsByType(Xep.class)) {
        Entry entry =
            byNumber.computeIfAbsent(
                xep.number(),
                number ->
                    new Entry(
                        number, xep.version(), xep.title(), new TreeSet<>(), new TreeSet<>()));
        if (!entry.version.equals(xep.version()) || !entry.title.equals(xep.title())) {
          throw new IllegalArgumentException(
              type.getName() + " and another class disagree about XEP-" + xep.number());
        }
        entry.places.add(place(type));
        if (!xep.note().isEmpty()) {
          entry.notes.add(xep.note());
        }
      }
    }
    return new XepReference(new ArrayList<>(byNumber.values()));
  }

  /// The page `docs/reference/xeps.md`.
  String markdown() {
    StringBuilder page = new StringBuilder(4_096);
    page.append(
        """
        # XMPP extensions

        What Zonda implements, in which version of the text, and what it leaves out. This page is made
        from the annotations of the code; do not edit it.

        | XEP | Title | Version | Where | Left out |
        | --- | --- | --- | --- | --- |
        """);
    for (Entry entry : entries) {
      page.append(
          String.format(
              Locale.ROOT,
              "| [XEP-%04d](%s) | %s | %s | %s | %s |\n",
              entry.number,
              address(entry.number),
              cell(entry.title),
              cell(entry.version),
              entry.places.stream()
                  .map(place -> "`" + place + "`")
                  .collect(Collectors.joining(", ")),
              cell(String.join("; ", entry.notes))));
    }
    return page.toString();
  }

  /// The file that the program itself reads: a line for each XEP and place of its implementation.
  String index() {
    StringBuilder file = new StringBuilder(2_048);
    for (Entry entry : entries) {
      for (String place : entry.places) {
        file.append(entry.number).append(' ').append(place).append('\n');
      }
    }
    return file.toString();
  }

  /// The file `doap.xml`.
  String doap() {
    StringBuilder file = new StringBuilder(8_192);
    file.append(
        """
        <?xml version='1.0' encoding='UTF-8'?>
        <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
                 xmlns='http://usefulinc.com/ns/doap#'
                 xmlns:xmpp='https://linkmauve.fr/ns/xmpp-doap#'>
          <Project xml:lang='en'>
            <name>Zonda</name>
            <shortdesc>A real-time collaboration server on XMPP</shortdesc>
            <programming-language>Java</programming-language>
            <os>Linux</os>
            <license rdf:resource='https://www.apache.org/licenses/LICENSE-2.0'/>
            <category rdf:resource='https://linkmauve.fr/ns/xmpp-doap#category-server'/>
        """);
    for (int rfc : RFCS) {
      file.append(
          "    <implements rdf:resource='https://xmpp.org/rfcs/rfc%d.html'/>\n".formatted(rfc));
    }
    for (Entry entry : entries) {
      file.append("    <implements>\n      <xmpp:SupportedXep>\n");
      line(file, "<xmpp:xep rdf:resource='" + address(entry.number) + "'/>");
      line(file, "<xmpp:status>" + status(entry) + "</xmpp:status>");
      line(file, "<xmpp:version>" + escaped(entry.version) + "</xmpp:version>");
      for (String note : entry.notes) {
        line(file, "<xmpp:note xml:lang='en'>" + escaped(note) + "</xmpp:note>");
      }
      file.append("      </xmpp:SupportedXep>\n    </implements>\n");
    }
    return file.append("  </Project>\n</rdf:RDF>\n").toString();
  }

  private static String status(Entry entry) {
    return entry.notes.isEmpty() ? "complete" : "partial";
  }

  private static void line(StringBuilder file, String content) {
    file.append("        ").append(content).append('\n');
  }

  private static String address(int number) {
    return String.format(Locale.ROOT, "https://xmpp.org/extensions/xep-%04d.html", number);
  }

  /// The word of the module, `muc` for `im.zonda.module.muc.room`; the last word of any other
  /// package.
  private static String place(Class<?> type) {
    String name = type.getPackageName();
    if (name.startsWith(MODULES)) {
      return name.substring(MODULES.length()).split("\\.", -1)[0];
    }
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
