#pragma once

// The name rules of the three floor categories as one table. A phrase is written without blanks and
// matches consecutive words that join to it: "apikey" matches api_key, apiKey, ApiKey and apikey.
// Connecting words (de, du, do...) are left out on both sides.

#include <array>
#include <cstdint>
#include <string_view>

#include "privacy/category.h"

namespace schemaward::privacy {

/// Where in a column's name a phrase must stand.
enum class Place : std::uint8_t {
  Anywhere,  ///< the phrase alone means the value; only a tail that speaks about it
             ///< (..._changed_at) lifts it
  End,    ///< last, but for words that keep a value one (hash, old, 2): "token" ends access_token,
          ///< not token_bucket
  Whole,  ///< the whole name, but for such words: alone it can mean nothing else
  Account,  ///< as Whole, and only in a table about people, logins or payments: elsewhere the word
            ///< is an everyday one
};

struct FloorRule {
  std::string_view phrase;
  Category category;
  Place place;
};

// clang-format off
inline constexpr Category kCredential = Category::Credential;
inline constexpr Category kCard = Category::PaymentCard;
inline constexpr Category kGovernment = Category::GovernmentId;

inline constexpr auto kFloorRules = std::to_array<FloorRule>({
    // Passwords: the words have no other meaning in a schema, and what stands beside them (hash, salt) is as secret.
    {"password", kCredential, Place::Anywhere}, {"passwords", kCredential, Place::Anywhere},
    {"passwd", kCredential, Place::Anywhere}, {"pwd", kCredential, Place::Anywhere},
    {"passphrase", kCredential, Place::Anywhere}, {"passcode", kCredential, Place::Anywhere},
    {"userpassword", kCredential, Place::Anywhere}, {"passwordhash", kCredential, Place::Anywhere},
    {"passwordsalt", kCredential, Place::Anywhere}, {"passhash", kCredential, Place::Anywhere},
    {"userpass", kCredential, Place::End}, {"loginpass", kCredential, Place::End}, {"dbpass", kCredential, Place::End},
    {"adminpass", kCredential, Place::End}, {"smtppass", kCredential, Place::End},
    {"pw", kCredential, Place::End}, {"pswd", kCredential, Place::Anywhere}, {"passwrd", kCredential, Place::Anywhere},
    // Everyday words (a pass in football, table salt): secret only beside people and logins.
    {"pass", kCredential, Place::Account}, {"salt", kCredential, Place::Account},
    // The same in other languages.
    {"contrasena", kCredential, Place::Anywhere}, {"contrasenia", kCredential, Place::Anywhere},     // Spanish
    {"claveacceso", kCredential, Place::End}, {"clavesecreta", kCredential, Place::End},
    {"claveprivada", kCredential, Place::End}, {"claveusuario", kCredential, Place::End},
    {"claveapi", kCredential, Place::End}, {"clave", kCredential, Place::Account},
    {"passwort", kCredential, Place::Anywhere}, {"passwoerter", kCredential, Place::Anywhere},       // German
    {"kennwort", kCredential, Place::Anywhere}, {"benutzerpasswort", kCredential, Place::Anywhere},
    {"passworthash", kCredential, Place::Anywhere}, {"zugangsdaten", kCredential, Place::End},
    {"zugangscode", kCredential, Place::End}, {"geheimzahl", kCredential, Place::End},
    {"privaterschluessel", kCredential, Place::End}, {"geheimerschluessel", kCredential, Place::End},
    {"privaterschlussel", kCredential, Place::End}, {"geheimerschlussel", kCredential, Place::End},
    {"apischluessel", kCredential, Place::End}, {"apischlussel", kCredential, Place::End},
    {"zugriffstoken", kCredential, Place::End},
    {"motpasse", kCredential, Place::Anywhere}, {"motdepasse", kCredential, Place::Anywhere},        // French
    {"mdp", kCredential, Place::Anywhere}, {"clesecrete", kCredential, Place::End},
    {"cleprivee", kCredential, Place::End}, {"cleapi", kCredential, Place::End},
    {"codesecret", kCredential, Place::End}, {"jetonacces", kCredential, Place::End},
    {"jetonauthentification", kCredential, Place::End},
    {"senha", kCredential, Place::Anywhere}, {"palavrapasse", kCredential, Place::Anywhere},         // Portuguese
    {"chavesecreta", kCredential, Place::End}, {"chaveprivada", kCredential, Place::End},
    {"chaveacesso", kCredential, Place::Account}, {"chaveapi", kCredential, Place::End},
    {"sifre", kCredential, Place::Anywhere}, {"sifresi", kCredential, Place::Anywhere},              // Turkish
    {"parola", kCredential, Place::Anywhere}, {"parolasi", kCredential, Place::Anywhere},
    {"gizlianahtar", kCredential, Place::End}, {"ozelanahtar", kCredential, Place::End},
    {"apianahtari", kCredential, Place::End}, {"apianahtar", kCredential, Place::End},
    // Tokens: alone, or named for what they open. token_count, next_token and max_tokens are figures and cursors.
    {"token", kCredential, Place::Whole},
    {"accesstoken", kCredential, Place::End}, {"refreshtoken", kCredential, Place::End}, {"authtoken", kCredential, Place::End},
    {"authenticationtoken", kCredential, Place::End}, {"authorizationtoken", kCredential, Place::End},
    {"apitoken", kCredential, Place::End}, {"bearertoken", kCredential, Place::End}, {"idtoken", kCredential, Place::End},
    {"sessiontoken", kCredential, Place::End}, {"resettoken", kCredential, Place::End}, {"csrftoken", kCredential, Place::End},
    {"xsrftoken", kCredential, Place::End}, {"oauthtoken", kCredential, Place::End}, {"jwttoken", kCredential, Place::End},
    {"logintoken", kCredential, Place::End}, {"remembertoken", kCredential, Place::End},
    {"remembermetoken", kCredential, Place::End}, {"verificationtoken", kCredential, Place::End},
    {"confirmationtoken", kCredential, Place::End}, {"activationtoken", kCredential, Place::End},
    {"invitetoken", kCredential, Place::End}, {"invitationtoken", kCredential, Place::End},
    {"devicetoken", kCredential, Place::End}, {"pushtoken", kCredential, Place::End}, {"securitytoken", kCredential, Place::End},
    {"usertoken", kCredential, Place::End}, {"personalaccesstoken", kCredential, Place::End},
    {"privatetoken", kCredential, Place::End}, {"secrettoken", kCredential, Place::End},
    {"recoverytoken", kCredential, Place::End}, {"unlocktoken", kCredential, Place::End},
    {"unsubscribetoken", kCredential, Place::End}, {"webhooktoken", kCredential, Place::End},
    {"bottoken", kCredential, Place::End}, {"sastoken", kCredential, Place::End}, {"emailtoken", kCredential, Place::End},
    {"servicetoken", kCredential, Place::End}, {"deploytoken", kCredential, Place::End},
    {"accesstokens", kCredential, Place::End}, {"refreshtokens", kCredential, Place::End}, {"apitokens", kCredential, Place::End},
    {"jwt", kCredential, Place::End}, {"tokenhash", kCredential, Place::End}, {"tokendigest", kCredential, Place::End},
    {"tokensecret", kCredential, Place::End}, {"authorizationheader", kCredential, Place::End},
    {"sessionkey", kCredential, Place::End}, {"sessioncookie", kCredential, Place::End}, {"authcookie", kCredential, Place::End},
    // Secrets: the word must end the name (secret_santa, secret_name and is_secret do not hold one).
    {"secret", kCredential, Place::End}, {"secrets", kCredential, Place::Whole}, {"secretkey", kCredential, Place::End},
    {"secretvalue", kCredential, Place::End}, {"secretanswer", kCredential, Place::End}, {"secretcode", kCredential, Place::End},
    {"securityanswer", kCredential, Place::End}, {"credential", kCredential, Place::End},
    {"credentials", kCredential, Place::End}, {"connectionstring", kCredential, Place::End}, {"connstr", kCredential, Place::End},
    {"seedphrase", kCredential, Place::End}, {"recoveryphrase", kCredential, Place::End},
    // Keys that open something; public_key, primary_key, key and license_key are left alone.
    {"apikey", kCredential, Place::End}, {"apikeys", kCredential, Place::End}, {"privatekey", kCredential, Place::End},
    {"privatekeys", kCredential, Place::End}, {"privkey", kCredential, Place::End}, {"accesskey", kCredential, Place::End},
    {"encryptionkey", kCredential, Place::End}, {"decryptionkey", kCredential, Place::End},
    {"signingkey", kCredential, Place::End}, {"masterkey", kCredential, Place::End}, {"hmackey", kCredential, Place::End},
    {"aeskey", kCredential, Place::End}, {"authkey", kCredential, Place::End}, {"sharedkey", kCredential, Place::End},
    {"presharedkey", kCredential, Place::End}, {"sshkey", kCredential, Place::End}, {"webhookkey", kCredential, Place::End},
    {"recoverykey", kCredential, Place::End}, {"serviceaccountkey", kCredential, Place::End},
    // Short codes that log somebody in. pin_code is a postal code in India, so only the unambiguous forms.
    {"pin", kCredential, Place::Whole}, {"pinhash", kCredential, Place::End}, {"userpin", kCredential, Place::End},
    {"loginpin", kCredential, Place::End}, {"pinnumber", kCredential, Place::End}, {"accesspin", kCredential, Place::End},
    {"otp", kCredential, Place::End}, {"totp", kCredential, Place::End}, {"otpcode", kCredential, Place::End},
    {"onetimecode", kCredential, Place::End}, {"mfacode", kCredential, Place::End}, {"twofactorcode", kCredential, Place::End},
    {"backupcodes", kCredential, Place::End}, {"recoverycodes", kCredential, Place::End},
    {"recoverycode", kCredential, Place::End}, {"backupcode", kCredential, Place::End},
    {"otpseed", kCredential, Place::End}, {"totpseed", kCredential, Place::End},
    {"magiclinktoken", kCredential, Place::End}, {"smscode", kCredential, Place::Account}, {"verificationcode", kCredential, Place::Account},
    {"bearer", kCredential, Place::Account}, {"mnemonic", kCredential, Place::Account}, {"passkey", kCredential, Place::End}, {"passkeys", kCredential, Place::End},

    // Payment cards: the number, the checking code, the stripe, the PIN, the expiry. Brand, type and last four digits are not floor.
    {"creditcard", kCard, Place::End}, {"creditcardnumber", kCard, Place::Anywhere}, {"creditcardno", kCard, Place::Anywhere},
    {"creditcardnum", kCard, Place::Anywhere}, {"debitcard", kCard, Place::End}, {"debitcardnumber", kCard, Place::Anywhere},
    {"debitcardno", kCard, Place::Anywhere}, {"cardnumber", kCard, Place::Anywhere}, {"cardno", kCard, Place::Anywhere},
    {"cardnum", kCard, Place::Anywhere}, {"cardnr", kCard, Place::Anywhere}, {"numbercard", kCard, Place::End},
    {"ccnumber", kCard, Place::Anywhere}, {"ccnum", kCard, Place::Anywhere}, {"ccno", kCard, Place::End},
    {"cardpan", kCard, Place::End}, {"pannumber", kCard, Place::End}, {"pan", kCard, Place::Whole},
    {"primaryaccountnumber", kCard, Place::End},
    {"cvv", kCard, Place::Anywhere}, {"cvv2", kCard, Place::Anywhere}, {"cvc", kCard, Place::Anywhere},
    {"cvc2", kCard, Place::Anywhere}, {"ccv", kCard, Place::Whole}, {"cvn", kCard, Place::Whole}, {"cardcode", kCard, Place::End},
    {"cardsecuritycode", kCard, Place::End}, {"securitycode", kCard, Place::Account}, {"cardverificationcode", kCard, Place::End},
    {"cardverificationvalue", kCard, Place::End}, {"ccsecuritycode", kCard, Place::End},
    {"track1data", kCard, Place::End}, {"track2data", kCard, Place::End}, {"cardtrack", kCard, Place::End},
    {"magstripe", kCard, Place::Anywhere}, {"magneticstripe", kCard, Place::Anywhere},
    {"cardpin", kCard, Place::Anywhere}, {"pinblock", kCard, Place::End}, {"atmpin", kCard, Place::End},
    {"cardexpiry", kCard, Place::End}, {"cardexpirydate", kCard, Place::End}, {"cardexpiration", kCard, Place::End},
    {"cardexpirationdate", kCard, Place::End}, {"cardexp", kCard, Place::End}, {"cardexpdate", kCard, Place::End},
    {"ccexpiry", kCard, Place::End}, {"ccexp", kCard, Place::End}, {"cardexpmonth", kCard, Place::End}, {"cardexpyear", kCard, Place::End},
    {"ccexpmonth", kCard, Place::End}, {"ccexpyear", kCard, Place::End}, {"ccexpiration", kCard, Place::End},
    {"ccexpdate", kCard, Place::End}, {"ccexpirydate", kCard, Place::End}, {"ccexpirationdate", kCard, Place::End}, {"fullpan", kCard, Place::End},
    {"encryptedpan", kCard, Place::End}, {"clearpan", kCard, Place::End}, {"rawpan", kCard, Place::End}, {"track1", kCard, Place::Account}, {"track2", kCard, Place::Account},
    {"caducidadtarjeta", kCard, Place::End}, {"vencimientotarjeta", kCard, Place::End}, {"codigoseguridadtarjeta", kCard, Place::End},
    {"validadecartao", kCard, Place::End}, {"codigosegurancacartao", kCard, Place::End}, {"numerocb", kCard, Place::End}, {"cryptocarte", kCard, Place::End},
    {"dateexpirationcarte", kCard, Place::End}, {"kknummer", kCard, Place::End},
    {"tarjeta", kCard, Place::Account}, {"tarjetacredito", kCard, Place::End}, {"tarjetadebito", kCard, Place::End},   // Spanish
    {"numerotarjeta", kCard, Place::Anywhere}, {"numtarjeta", kCard, Place::Anywhere}, {"notarjeta", kCard, Place::End},
    {"tarjetanumero", kCard, Place::Anywhere}, {"numerotarjetacredito", kCard, Place::Anywhere},
    {"kreditkarte", kCard, Place::End}, {"kreditkartennummer", kCard, Place::Anywhere},                                // German
    {"kreditkartennr", kCard, Place::Anywhere}, {"kartennummer", kCard, Place::Anywhere}, {"kartennr", kCard, Place::Anywhere},
    {"kartenpruefnummer", kCard, Place::Anywhere}, {"kartenprufnummer", kCard, Place::Anywhere},
    {"cartebancaire", kCard, Place::End}, {"cartecredit", kCard, Place::End}, {"numerocarte", kCard, Place::Anywhere}, // French
    {"numcarte", kCard, Place::Anywhere}, {"cryptogramme", kCard, Place::Anywhere},
    {"cartaocredito", kCard, Place::End}, {"cartaodebito", kCard, Place::End}, {"numerocartao", kCard, Place::Anywhere}, // Portuguese
    {"numcartao", kCard, Place::Anywhere}, {"cartaonumero", kCard, Place::Anywhere},
    {"kredikarti", kCard, Place::End}, {"kredikartino", kCard, Place::Anywhere}, {"kartno", kCard, Place::Anywhere},   // Turkish
    {"kartnumarasi", kCard, Place::Anywhere}, {"kredikartinumarasi", kCard, Place::Anywhere},
    {"kartguvenlikkodu", kCard, Place::End},

    // Numbers that a state gave a person.
    {"ssn", kGovernment, Place::Anywhere}, {"essn", kGovernment, Place::Whole}, {"socialsecurity", kGovernment, Place::End},
    {"socialsecuritynumber", kGovernment, Place::Anywhere}, {"socialsecurityno", kGovernment, Place::Anywhere},
    {"socialsecuritynum", kGovernment, Place::Anywhere}, {"socialinsurancenumber", kGovernment, Place::Anywhere},
    {"nationalid", kGovernment, Place::End}, {"nationalidnumber", kGovernment, Place::End}, {"nationalidno", kGovernment, Place::End},
    {"nationalidentificationnumber", kGovernment, Place::End}, {"nationalidentitynumber", kGovernment, Place::End},
    {"nationalinsurancenumber", kGovernment, Place::End}, {"nationalinsuranceno", kGovernment, Place::End},
    {"nino", kGovernment, Place::Account}, {"govid", kGovernment, Place::End}, {"governmentid", kGovernment, Place::End},
    {"governmentidnumber", kGovernment, Place::End}, {"idcardnumber", kGovernment, Place::Anywhere},
    {"idcardno", kGovernment, Place::Anywhere}, {"identitycardnumber", kGovernment, Place::Anywhere},
    {"identitycard", kGovernment, Place::End}, {"greencardnumber", kGovernment, Place::Anywhere},
    {"passport", kGovernment, Place::End}, {"passportnumber", kGovernment, Place::Anywhere},
    {"passportno", kGovernment, Place::Anywhere}, {"passportnum", kGovernment, Place::Anywhere},
    {"passportid", kGovernment, Place::End}, {"visanumber", kGovernment, Place::End},
    {"driverlicense", kGovernment, Place::End}, {"driverslicense", kGovernment, Place::End},
    {"driverlicence", kGovernment, Place::End}, {"driverslicence", kGovernment, Place::End},
    {"drivinglicence", kGovernment, Place::End}, {"drivinglicense", kGovernment, Place::End},
    {"driverlicensenumber", kGovernment, Place::End}, {"driverslicensenumber", kGovernment, Place::End},
    {"driverlicenseno", kGovernment, Place::End}, {"driverslicenseno", kGovernment, Place::End},
    {"driverlicencenumber", kGovernment, Place::End}, {"drivinglicencenumber", kGovernment, Place::End},
    {"drivinglicensenumber", kGovernment, Place::End}, {"dlnumber", kGovernment, Place::End},
    {"taxid", kGovernment, Place::Whole}, {"customertaxid", kGovernment, Place::End}, {"employeetaxid", kGovernment, Place::End},
    {"persontaxid", kGovernment, Place::End}, {"usertaxid", kGovernment, Place::End}, {"clienttaxid", kGovernment, Place::End}, {"taxpayerid", kGovernment, Place::End}, {"taxpayernumber", kGovernment, Place::End},
    {"taxidnumber", kGovernment, Place::End}, {"taxidentificationnumber", kGovernment, Place::End},
    {"personaltaxid", kGovernment, Place::End}, {"itin", kGovernment, Place::Whole}, {"tin", kGovernment, Place::Account},
    {"sinnumber", kGovernment, Place::End}, {"aadhaar", kGovernment, Place::Anywhere}, {"aadhar", kGovernment, Place::Anywhere},
    {"voterid", kGovernment, Place::End}, {"alienregistrationnumber", kGovernment, Place::End},
    {"personnummer", kGovernment, Place::Anywhere}, {"bsn", kGovernment, Place::Whole}, {"pesel", kGovernment, Place::Anywhere},
    {"codicefiscale", kGovernment, Place::Anywhere}, {"fiscalcode", kGovernment, Place::Whole},
    {"nric", kGovernment, Place::Anywhere}, {"cuil", kGovernment, Place::Whole}, {"cuit", kGovernment, Place::Whole},
    {"snils", kGovernment, Place::Anywhere}, {"emiratesid", kGovernment, Place::End}, {"citizenid", kGovernment, Place::Whole},
    {"socialinsuranceno", kGovernment, Place::Anywhere}, {"voteridnumber", kGovernment, Place::End},
    {"passportnr", kGovernment, Place::Anywhere}, {"visano", kGovernment, Place::Whole},
    {"greencardno", kGovernment, Place::Anywhere}, {"aliennumber", kGovernment, Place::End}, {"nifcif", kGovernment, Place::End}, {"rutcliente", kGovernment, Place::End},
    {"numerorg", kGovernment, Place::End}, {"tcno", kGovernment, Place::Whole},
    // Names that things have too (a vehicle's identification number, a company's tax number): only beside people.
    {"idnumber", kGovernment, Place::Account}, {"identitynumber", kGovernment, Place::Account},
    {"identificationnumber", kGovernment, Place::Account}, {"personalidnumber", kGovernment, Place::Account},
    {"taxnumber", kGovernment, Place::Account}, {"taxno", kGovernment, Place::Account}, {"rut", kGovernment, Place::Account},
    {"ninumber", kGovernment, Place::Account}, {"numerodocumento", kGovernment, Place::Account}, {"rfc", kGovernment, Place::Account}, {"cni", kGovernment, Place::Account},
    {"nss", kGovernment, Place::Account}, {"licensenumber", kGovernment, Place::Account},
    {"licencenumber", kGovernment, Place::Account},
    {"dni", kGovernment, Place::Whole}, {"nie", kGovernment, Place::Account}, {"nif", kGovernment, Place::Whole},      // Spanish
    {"curp", kGovernment, Place::Whole}, {"numerodni", kGovernment, Place::End}, {"dninumero", kGovernment, Place::End},
    {"cedula", kGovernment, Place::Anywhere}, {"pasaporte", kGovernment, Place::End},
    {"numeropasaporte", kGovernment, Place::Anywhere}, {"documentoidentidad", kGovernment, Place::End},
    {"cedulaidentidad", kGovernment, Place::End}, {"numeroseguridadsocial", kGovernment, Place::Anywhere},
    {"nuss", kGovernment, Place::Whole}, {"carnetidentidad", kGovernment, Place::End},
    {"steuerid", kGovernment, Place::Anywhere}, {"steuernummer", kGovernment, Place::Anywhere},                        // German
    {"steueridentifikationsnummer", kGovernment, Place::Anywhere}, {"sozialversicherungsnummer", kGovernment, Place::Anywhere},
    {"svnummer", kGovernment, Place::End}, {"personalausweis", kGovernment, Place::End},
    {"personalausweisnummer", kGovernment, Place::Anywhere}, {"ausweisnummer", kGovernment, Place::Anywhere},
    {"ausweisnr", kGovernment, Place::Anywhere}, {"reisepass", kGovernment, Place::End},
    {"reisepassnummer", kGovernment, Place::Anywhere}, {"passnummer", kGovernment, Place::End},
    {"fuehrerscheinnummer", kGovernment, Place::Anywhere}, {"fuhrerscheinnummer", kGovernment, Place::Anywhere},
    {"numerosecuritesociale", kGovernment, Place::Anywhere}, {"numerosecu", kGovernment, Place::Anywhere},             // French
    {"numsecu", kGovernment, Place::Anywhere}, {"securitesociale", kGovernment, Place::End}, {"nir", kGovernment, Place::Whole},
    {"passeport", kGovernment, Place::End}, {"numeropasseport", kGovernment, Place::Anywhere},
    {"carteidentite", kGovernment, Place::End}, {"numerocarteidentite", kGovernment, Place::Anywhere},
    {"carteidentitenumero", kGovernment, Place::End}, {"numerofiscal", kGovernment, Place::End},
    {"permisconduire", kGovernment, Place::End}, {"numeropermisconduire", kGovernment, Place::End},
    {"cpf", kGovernment, Place::Anywhere}, {"numerocpf", kGovernment, Place::Anywhere},                                // Portuguese
    {"passaporte", kGovernment, Place::End}, {"numeropassaporte", kGovernment, Place::Anywhere},
    {"cartaocidadao", kGovernment, Place::End}, {"bilheteidentidade", kGovernment, Place::End},
    {"numerocontribuinte", kGovernment, Place::Anywhere}, {"numeroidentidade", kGovernment, Place::End},
    {"carteiraidentidade", kGovernment, Place::End}, {"rg", kGovernment, Place::Account}, {"cnh", kGovernment, Place::Whole},
    {"kimlikno", kGovernment, Place::Anywhere}, {"kimliknumarasi", kGovernment, Place::Anywhere},                      // Turkish
    {"tckimlik", kGovernment, Place::Anywhere}, {"tckimlikno", kGovernment, Place::Anywhere}, {"tckn", kGovernment, Place::Anywhere},
    {"pasaport", kGovernment, Place::End}, {"pasaportno", kGovernment, Place::Anywhere}, {"vergino", kGovernment, Place::End},
    {"ehliyetno", kGovernment, Place::Anywhere},
});

/// A last word of this kind says that the column speaks about the value: when, how many, which sort, whether.
inline constexpr auto kAboutWords = std::to_array<std::string_view>({
    "at", "on", "date", "dates", "time", "timestamp", "ts", "day", "days", "hours", "minutes", "seconds", "ms", "ttl", "age",
    "count", "counts", "counter", "total", "attempts", "attempt", "tries", "failures", "uses", "used", "usage", "limit", "max",
    "min", "size", "length", "len", "bits", "type", "types", "kind", "status", "state", "policy", "policies", "version",
    "algorithm", "algo", "method", "strategy", "format", "scheme", "provider", "issuer", "country", "city", "brand", "network", "name",
    "label", "description", "scope", "scopes", "level", "strength", "score", "enabled", "disabled", "required", "needed",
    "expired", "expires", "expiry", "expiration", "changed", "updated", "created", "modified", "issued", "verified", "valid",
    "validated", "set", "flag", "reset", "rotated", "rotation", "revoked", "shown", "masked", "redacted", "truncated",
    "url", "link", "page", "field", "column", "position", "index", "rank", "present", "exists", "provided", "off",
    "id", "ids", "fk", "by", "question", "questions", "result", "response", "check", "match", "matched", "fecha", "datum", "tarih", "tarihi", "tipo", "typ", "tip", "anzahl",
});

/// A first word of this kind asks a question or counts, whatever follows.
inline constexpr auto kAskingWords = std::to_array<std::string_view>({
    "is", "has", "had", "was", "are", "can", "should", "must", "may", "needs", "need", "requires", "require", "required", "allow",
    "allows", "show", "hide", "enable", "enabled", "disable", "use", "uses", "with", "without", "count",
    "max", "min", "avg", "sum", "total", "masked", "redacted", "truncated", "accepts", "supports", "force", "tiene", "tem", "hat",
});

/// First words that count passwords and tokens, yet mean "number" before a card or a passport (num_tarjeta, no_passport).
inline constexpr auto kCountingWords = std::to_array<std::string_view>({"num", "no", "n", "nb", "nbr", "number"});

/// Before or after a card's number it names the digits that may be shown: card_last4, last4_card_number.
inline constexpr std::string_view kLastDigits = "last";

/// A column of such a name holds what its table is named for: passports.number, api_keys.value.
inline constexpr auto kGenericColumns = std::to_array<std::string_view>(
    {"number", "no", "num", "nr", "numero", "nummer", "value", "val", "hash", "digest", "string", "plaintext", "key"});

/// Words after a phrase that keep it a value.
inline constexpr auto kValueWords = std::to_array<std::string_view>({
    "hash", "hashed", "hashes", "digest", "salt", "encrypted", "enc", "cipher", "ciphertext", "crypt", "plain", "plaintext", "clear",
    "raw", "text", "txt", "value", "val", "string", "str", "old", "new", "current", "previous", "prev", "backup", "confirm",
    "confirmation", "md", "sha", "bcrypt", "argon", "scrypt", "pbkdf", "hmac", "base", "hex", "pem", "bytes", "blob", "json", "number",
    "no", "num", "nr", "nbr", "numero", "nummer", "primary", "secondary", "prod", "production", "live", "test", "dev", "staging", "sandbox",
});

/// Cards that pay for nothing: a library card's number is not a payment card's.
inline constexpr auto kOtherCards = std::to_array<std::string_view>({
    "library", "membership", "member", "loyalty", "business", "report", "score", "graphics", "sim", "sd", "memory", "playing",
    "trading", "post", "greeting", "health", "punch", "time", "id", "identity", "green", "key", "access", "student", "fidelite", "vitale",
    "race", "index", "yellow", "red", "flash",
});

/// A table that speaks of people, logins or payments has one of these words, or its plural, in its name.
inline constexpr auto kAccountWords = std::to_array<std::string_view>({
    "user", "account", "login", "member", "customer", "client", "admin", "auth", "credential", "employee", "staff", "person", "people",
    "subscriber", "session", "card", "payment", "billing", "wallet", "password", "security", "operator", "driver", "patient", "student", "usuario", "cliente", "empleado", "cuenta", "persona",
    "benutzer", "kunde", "konto", "mitarbeiter", "utilisateur", "compte", "employe", "personne", "conta", "pessoa", "funcionario",
    "kullanici", "musteri", "hesap", "uye", "calisan", "salarie", "paciente", "alumno", "etudiant", "eleve", "mitglied", "aluno", "hasta", "ogrenci", "cust", "emp", "usr", "acct", "signup", "registration",
});

/// Words that join others and carry nothing.
inline constexpr auto kConnectives = std::to_array<std::string_view>({
    "de", "del", "la", "el", "las", "los", "du", "des", "le", "les", "d", "l", "do", "da", "dos", "das", "der", "die", "den", "of", "the",
});
// clang-format on

}  // namespace schemaward::privacy
