package im.zonda.module.forms;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.module.testing.TestXml;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataFormTest {
  @Test
  void aFormIsWrittenInTheOrderOfItsFields() {
    DataForm form =
        DataForm.builder("form", "urn:example:form")
            .title("Title")
            .instructions("Fill it in.")
            .required("name", "text-single", "Name", List.of())
            .bool("on", "Switched on", true)
            .listSingle("size", "Size", "s", Map.of("s", "Small"))
            .integer("count", "Count", "How many", 2, 1)
            .build();
    assertThat(form.toElement())
        .isEqualTo(
            TestXml.element(
                "<x xmlns='jabber:x:data' type='form'><title>Title</title>"
                    + "<instructions>Fill it in.</instructions>"
                    + "<field var='FORM_TYPE' type='hidden'><value>urn:example:form</value></field>"
                    + "<field var='name' type='text-single' label='Name'><required/></field>"
                    + "<field var='on' type='boolean' label='Switched on'><value>1</value></field>"
                    + "<field var='size' type='list-single' label='Size'><value>s</value>"
                    + "<option label='Small'><value>s</value></option></field>"
                    + "<field var='count' type='text-single' label='Count'><desc>How many</desc>"
                    + "<validate xmlns='http://jabber.org/protocol/xdata-validate'"
                    + " datatype='xs:integer'><range min='1'/></validate>"
                    + "<value>2</value></field></x>"));
  }

  @Test
  void aSubmittedFormIsReadWithAllValues() {
    DataForm form =
        Objects.requireNonNull(
            read(
                "type='submit'",
                "<field var='FORM_TYPE'><value>urn:example:form</value></field>"
                    + "<field var='to' type='jid-multi'><value>a@b</value><value>c@d</value></field>"
                    + "<field type='fixed'><value>a heading</value></field><field var='empty'/>"));
    assertThat(form.type()).isEqualTo("submit");
    assertThat(form.kind()).isEqualTo("urn:example:form");
    assertThat(form.fields()).containsOnlyKeys("FORM_TYPE", "to", "empty");
    assertThat(Objects.requireNonNull(form.field("to")).values()).containsExactly("a@b", "c@d");
    assertThat(Objects.requireNonNull(form.field("empty")).value()).isNull();
    assertThat(form.field("other")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "type='submit'"})
  void aFormWithoutATypeAndOneWithAFieldTwiceAreNone(String type) {
    assertThat(read(type, "<field var='a'/><field var='a'/>")).isNull();
    assertThat(read("", "<field var='a'/>")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"1,true", "true,true", "0,false", "false,false", "yes,-"})
  void aBooleanHasFourForms(String value, @Nullable Boolean expected) {
    DataForm form =
        Objects.requireNonNull(
            read("type='submit'", "<field var='a'><value>" + value + "</value></field>"));
    assertThat(Objects.requireNonNull(form.field("a")).bool()).isEqualTo(expected);
  }

  private static @Nullable DataForm read(String type, String fields) {
    return DataForm.of(TestXml.element("<x xmlns='jabber:x:data' " + type + ">" + fields + "</x>"));
  }
}
