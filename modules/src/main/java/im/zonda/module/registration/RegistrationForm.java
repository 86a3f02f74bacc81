package im.zonda.module.registration;

import im.zonda.module.forms.DataForm;
import im.zonda.xml.Element;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The form for a new account (XEP-0077, section 13.4.1). It asks for the same as the fields of
/// `jabber:iq:register`, and takes precedence over them (section 4).
///
/// @param username the username, or null if it was not sent
/// @param password the password, or null if it was not sent
/// @param challenge the identifier of the challenge that is answered (XEP-0158), or null
/// @param answer the answer to its question, or null
record RegistrationForm(
    @Nullable String username,
    @Nullable String password,
    @Nullable String challenge,
    @Nullable String answer) {
  /// The form that a client fills in.
  ///
  /// @param username the username that the client has to take, or null if it chooses one
  /// @param challenge the question that the client has to answer, or null
  static Element toFillIn(
      @Nullable String username, String instructions, @Nullable Challenge challenge) {
    DataForm.Builder form =
        DataForm.builder("form", RegistrationModule.NAMESPACE).instructions(instructions);
    if (challenge != null) {
      challenge.addTo(form);
    }
    return form.required(
            "username", "text-single", "Username", username == null ? List.of() : List.of(username))
        .required("password", "text-private", "Password", List.of())
        .build()
        .toElement();
  }

  /// What a client has sent, in a form or in the fields; null if its form is not this one filled
  /// in, or if it sent both, which section 4 forbids.
  static @Nullable RegistrationForm of(Element query) {
    Element username = query.child("username");
    Element password = query.child("password");
    Element x = query.child(DataForm.X);
    if (x == null) {
      return new RegistrationForm(
          username == null ? null : username.text(),
          password == null ? null : password.text(),
          null,
          null);
    }
    DataForm form = DataForm.of(x);
    if (form == null || !form.type().equals("submit") || username != null || password != null) {
      return null;
    }
    // Section 4 only recommends the FORM_TYPE.
    return form.kind() == null || form.kind().equals(RegistrationModule.NAMESPACE)
        ? new RegistrationForm(
            value(form, "username"),
            value(form, "password"),
            value(form, Challenge.ID_FIELD),
            value(form, Challenge.ANSWER_FIELD))
        : null;
  }

  private static @Nullable String value(DataForm form, String name) {
    DataForm.Field field = form.field(name);
    return field == null ? null : field.value();
  }
}
