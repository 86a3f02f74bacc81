package im.zonda.xml.framing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Property;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares the framer with another parser. A rule below must explain each difference.
class DifferentialTest {
  /// Reasons for differences between the two parsers.
  enum Rule {
    /// The other parser accepts overlong forms and values above U+10FFFF.
    BROKEN_UTF8,
    /// It reports comments, processing instructions, document types; restricted XML forbids them.
    RESTRICTED,
    /// It knows only the names of the fourth edition of XML 1.0, without characters above U+FFFF.
    FIFTH_EDITION_NAME,
    /// It accepts `xmlns:=` and `xmlns:p=''` ("Namespaces in XML 1.0", sections 3 and 2.2).
    EMPTY_DECLARATION,
    /// It accepts `]]>` in text that follows a CDATA section.
    CDATA_END_IN_TEXT,
    /// It skips a NUL in an end tag.
    NUL_IN_END_TAG,
    /// It reads `&#x;`, which has no digits, as the character before.
    EMPTY_REFERENCE,
    /// It lets the part after a colon start with a digit, a dot or a hyphen.
    LOCAL_NAME_START,
  }

  private static final Pattern EMPTY_DECLARATION =
      Pattern.compile("xmlns:\\s*=|xmlns:[^\\s=]+\\s*=\\s*(''|\"\")");

  private static final Pattern NUL_IN_END_TAG = Pattern.compile("</[^>]*\0");
  private static final Pattern EMPTY_REFERENCE = Pattern.compile("&#x?;");
  private static final Pattern LOCAL_NAME_START = Pattern.compile("[\\s<]\\w+:[-.0-9\u00B7]");
  private static final Pattern CDATA = Pattern.compile("<!\\[CDATA\\[.*?]]>", Pattern.DOTALL);

  @Test
  void bothReadTheSame() {
    Map<Rule, Integer> seen = new EnumMap<>(Rule.class);
    Property.holds(
        20_000,
        random -> {
          byte[] document = Documents.text(random).getBytes(UTF_8);
          compare(random.nextInt(3) == 0 ? document : Documents.damaged(document, random), seen);
        });
    // The damaged documents must reach these, or the generator is too weak. For the others see
    // below.
    assertThat(seen).containsKeys(Rule.BROKEN_UTF8, Rule.RESTRICTED, Rule.FIFTH_EDITION_NAME);
  }

  @ParameterizedTest
  @CsvSource({
    "<a xmlns:=\"u\"/>, EMPTY_DECLARATION",
    "<a xmlns:p=\"\"/>, EMPTY_DECLARATION",
    "<a><![CDATA[x]]>]]></a>, CDATA_END_IN_TEXT",
    "<a></\0a>, NUL_IN_END_TAG",
    "<a b=\"&#10;&#x;\"/>, EMPTY_REFERENCE",
    "<a xmlns:3p=\"u\"/>, LOCAL_NAME_START",
    "<a><!-- x --></a>, RESTRICTED",
  })
  void eachRuleIsNeeded(String document, Rule rule) {
    Map<Rule, Integer> seen = new EnumMap<>(Rule.class);
    compare(document.getBytes(UTF_8), seen);
    assertThat(seen).containsOnlyKeys(rule);
  }

  private static void compare(byte[] document, Map<Rule, Integer> seen) {
    Element ours = parse(document);
    AaltoReader aalto = new AaltoReader();
    Element theirs = aalto.read(document);
    if (ours == null ? theirs == null : ours.equals(theirs)) {
      return;
    }
    Rule rule = rule(document, ours, aalto);
    assertThat(rule)
        .as("%s%nours %s%ntheirs %s", new String(document, UTF_8), ours, theirs)
        .isNotNull();
    seen.merge(rule, 1, Integer::sum);
  }

  private static @Nullable Rule rule(byte[] document, @Nullable Element ours, AaltoReader aalto) {
    if (ours != null) {
      String plain = new String(document, UTF_8).replace(Documents.FIFTH_EDITION, "z");
      byte[] renamed = plain.getBytes(UTF_8);
      boolean agree = Objects.equals(parse(renamed), new AaltoReader().read(renamed));
      return agree ? Rule.FIFTH_EDITION_NAME : null;
    }
    if (!isUtf8(document)) {
      return Rule.BROKEN_UTF8;
    }
    if (!aalto.forbidden().isEmpty()) {
      return Rule.RESTRICTED;
    }
    String text = new String(document, UTF_8);
    if (EMPTY_DECLARATION.matcher(text).find()) {
      return Rule.EMPTY_DECLARATION;
    }
    if (NUL_IN_END_TAG.matcher(text).find()) {
      return Rule.NUL_IN_END_TAG;
    }
    if (EMPTY_REFERENCE.matcher(text).find()) {
      return Rule.EMPTY_REFERENCE;
    }
    if (LOCAL_NAME_START.matcher(text).find()) {
      return Rule.LOCAL_NAME_START;
    }
    return CDATA.matcher(text).replaceAll("").contains("]]>") ? Rule.CDATA_END_IN_TEXT : null;
  }

  private static boolean isUtf8(byte[] document) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(document));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static @Nullable Element parse(byte[] document) {
    try {
      return XmlParser.parse(document);
    } catch (XmlException e) {
      return null;
    }
  }
}
