package im.zonda.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import im.zonda.http.HttpException;
import im.zonda.http.page.MultipartForm;
import im.zonda.web.PageRequest;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartFormTest {
  private static final String TYPE = "multipart/form-data; boundary=\"b-1\"";
  private static final String TEXT =
      "--b-1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n";
  private static final String FILE =
      "--b-1\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\ntwo\r\n";

  private static MultipartForm read(String type, String body, int most) throws IOException {
    return MultipartForm.read(
        PageRequest.post("/", body)
            .with(Map.of("content-type", type, "sec-fetch-site", "same-origin")),
        most);
  }

  @Test
  void textsAndFilesAreToldApart() throws IOException {
    MultipartForm form = read(TYPE, TEXT + FILE + "--b-1--\r\n", 100);
    assertThat(form.data().get("a")).isEqualTo("one");
    assertThat(form.file("f")).containsExactly('t', 'w', 'o');
    assertThat(form.file("a")).isNull();
    assertThat(form.tooLarge()).isFalse();
  }

  @Test
  void aFieldWithoutAFileIsEmpty() throws IOException {
    MultipartForm form = read(TYPE, FILE.replace("two", "") + "--b-1--", 100);
    assertThat(form.file("f")).isNull();
    assertThat(form.files()).containsOnlyKeys("f");
  }

  @Test
  void whatIsTooLargeIsReadToItsEndAndNotKept() throws IOException {
    MultipartForm form =
        read(TYPE, TEXT + FILE.replace("two", "x".repeat(100_000)) + "--b-1--", 100);
    assertThat(form.tooLarge()).isTrue();
    assertThat(form.data().get("a")).isEqualTo("one");
    assertThat(form.files()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "--b-1",
        "--b-1\r\n\r\n",
        "--b-1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none",
        "--b-1\r\nContent-Disposition: form-data\r\n\r\none\r\n--b-1--"
      })
  void damagedFormsAreRejected(String body) {
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> read(TYPE, body, 100))
        .matches(e -> e.status() == 400);
  }

  @Test
  void aFormHasAFewFields() {
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> read(TYPE, TEXT.repeat(17) + "--b-1--", 100))
        .matches(e -> e.status() == 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "multipart/form-data", "multipart/form-data; boundary=a b"})
  void otherTypesAreRejected(String type) {
    assertThatExceptionOfType(HttpException.class)
        .isThrownBy(() -> read(type, TEXT, 100))
        .matches(e -> e.status() == 415);
  }
}
