// The words of the name rules. name_rules.h says what each list is for.
#include <array>

#include "privacy/name_rules.h"

namespace schemaward::privacy {
namespace {

// clang-format off
constexpr auto kNameRulesData = std::to_array<NameRules>({
    // Contact: ways to reach somebody.
    {Category::Contact, Stand::End, kWords,
     "email emails emailaddress emailaddr emailid mailaddress mailaddr useremail contactemail workemail homeemail mail "
     "correo correoelectronico direccioncorreo emailadresse mailadresse emailkontakt courriel adressemail adresseemail "
     "adresseelectronique adressecourriel correioeletronico enderecoemail endereceletronico eposta epostaadresi mailadresi emailadresi"},
    {Category::Contact, Stand::Anywhere, kWords,
     "correoelectronico correopersonal correotrabajo emailpersonal emailcliente emailcontacto correioeletronico epostaadresi"},
    {Category::Contact, Stand::End, kDigits,
     "phone phones phonenumber phoneno phonenum phonenr telephone telephonenumber tel telno telnumber mobile mobilephone mobilenumber mobileno "
     "cellphone cellnumber cellno homephone workphone officephone dayphone eveningphone fax faxnumber faxno contactnumber contactno contactphone "
     "msisdn whatsapp whatsappnumber landline smsnumber pagernumber "
     "telefon telefonnummer telefonnr telnr handynummer handynr mobilnummer mobiltelefon mobilfunknummer festnetz festnetznummer rufnummer "
     "faxnummer telefonmobil telefonprivat telefonprivat telefongeschaeftlich "
     "celular numerotelefono numerocelular numerotelefonico telefonomovil telefonocelular numeromovil "
     "numerotelephone numerotel numtel numtelephone telephoneportable telportable telmobile telfixe numeroportable numeromobile telecopie "
     "telemovel numerotelefone numerotelemovel numerocelular "
     "telefonno telefonnumarasi ceptelefonu cepno ceptel gsm gsmno gsmnumarasi evtelefonu istelefonu"},
    {Category::Contact, Stand::Anywhere, kDigits, "telefono telefonos telefone telefones telefonu telefoncontacto"},
    {Category::Contact, Stand::Person, kDigits, "cell handy portable movil mobil gsm"},
    {Category::Contact, Stand::Postal, kWords,
     "address addr addressline streetaddress streetname street mailingaddress homeaddress postaladdress billingaddress shippingaddress "
     "residentialaddress deliveryaddress residence housenumber streetnumber houseno apartmentnumber aptnumber pobox "
     "direccion domicilio calle numerocasa direccionpostal residencia "
     "adresse anschrift strasse strassenname hausnummer hausnr strassehausnummer wohnadresse lieferadresse rechnungsadresse postanschrift wohnanschrift "
     "privatadresse lieferanschrift postfach "
     "rue adressepostale numerorue nomrue adresselivraison adressefacturation boitepostale "
     "endereco morada rua logradouro numeroporta caixapostal "
     "adres adresi evadresi isadresi teslimatadresi faturaadresi sokak cadde kapino acikadres"},
    // Contact: names of people.
    {Category::Contact, Stand::End, kWords,
     "firstname lastname middlename fullname surname givenname familyname forename maidenname preferredname birthname fname lname mname "
     "middleinitial lastname1 contactname contactperson personname customername clientname patientname employeename studentname guestname "
     "passengername holdername cardholder cardholdername accountholder accountholdername beneficiaryname payeename payername recipientname "
     "sendername ownername membername teachername doctorname physicianname nursename landlordname parentname mothername fathername spousename "
     "childname guardianname emergencycontact emergencycontactname nextkin managername supervisorname drivername applicantname candidatename "
     "subscribername donorname attendeename shiptoname billtoname billingname shippingname victimname witnessname insuredname buyername sellername "
     "mothermaidenname nameoncard legalrepresentative signername signatory visitorname residentname tenantfullname donorfullname instructorname "
     "salespersonname deceasedname "
     "nombrecompleto primernombre segundonombre nombrecliente nombreempleado nombrepaciente nombrecontacto nombrepadre nombremadre nombrealumno "
     "nombrepersona nombretitular nombreapellidos nombrebeneficiario nombrehuesped personacontacto contactoemergencia titularcuenta nombreconyuge "
     "vorname nachname familienname zuname geburtsname vollername vollstaendigername rufname kundenname ansprechpartner kontaktperson kontoinhaber "
     "mitarbeitername patientenname mitgliedsname maedchenname vorundnachname notfallkontakt karteninhaber empfaengername "
     "prenom prenoms nomfamille nomcomplet nomclient nompatient nomemploye nomjeunefille nomnaissance nomusage nomcontact nomprenom nometprenom "
     "nomtitulaire nomeleve nombeneficiaire nomdestinataire personnecontact contacturgence nomconjoint nompere nommere titulairecompte "
     "nomecompleto sobrenome primeironome ultimonome nomecliente nomepaciente nomemae nomepai nomefuncionario nomealuno nomecontato nometitular "
     "nomebeneficiario nomesocial pessoacontato contatoemergencia nomeconjuge titularconta "
     "soyad soyadi adsoyad adisoyadi adsoyadi kizliksoyadi annekizliksoyadi musteriadi hastaadi calisanadi ogrenciadi anneadi babaadi "
     "isimsoyisim soyisim yetkilikisi irtibatkisisi ilgilikisi hesapsahibi uyeadi personeladi acildurumkisisi"},
    {Category::Contact, Stand::OfPerson, kWords, "name names nm namen nombre nom nome adi isim ismi fullnames"},
    {Category::DemographicProtected, Stand::OfPerson, kBirth, "age edad alter idade yas yasi birth"},
    {Category::Contact, Stand::Anywhere, kWords, "emergencycontact apellido apellidos primerapellido segundoapellido nextkin nachname vorname"},
    {Category::Contact, Stand::Person, kWords,
     "name names displayname initials legalname realname alias recipient nombre nombres titular nom noms titulaire destinataire nome nomes apelido "
     "ad adi isim ismi unvanadi contact contacto contato kontakt"},

    // Online identifiers: what follows a person or a device through the net.
    {Category::OnlineIdentifier, Stand::End, kDigits | kOther,
     "ip ipaddress ipaddr clientip remoteip remoteaddr remoteaddress sourceip userip loginip lastip signinip ipv4 ipv6 ipv4address ipv6address hostip "
     "macaddress macaddr direccionip direccionmac ipadresse macadresse adresseip adressemac enderecoip enderecomac ipadresi macadresi ipno"},
    {Category::OnlineIdentifier, Stand::End, kNoId | kNumber, "imei imsi udid idfa gaid idfv aaid advertisingid adid androidid iccid meid"},
    {Category::OnlineIdentifier, Stand::End, kNoId,
     "deviceid deviceuuid devicefingerprint browserfingerprint deviceidentifier mobiledeviceid useragent cookieid cookie cookies trackingid "
     "visitorid visitoruuid anonymousid clientidcookie sessionid sessionidentifier sessionuuid pushid gaclientid fbclid gclid "
     "username userlogin loginname screenname login loginid userhandle gamertag nickname nick twitterhandle twitterusername instagramhandle "
     "instagramusername twitter instagram facebook facebookid facebookprofile linkedin linkedinurl linkedinprofile githubusername githublogin "
     "skype skypeid skypename telegram telegramusername telegramid discordid discordusername slackhandle wechatid lineid tiktokhandle "
     "snapchat openid googleid appleid "
     "nombreusuario idsesion iddispositivo apodo agenteusuario huellanavegador usuariotwitter "
     "benutzername anmeldename nutzername geraetekennung geraeteid geratekennung gerateid sitzungsid spitzname benutzerkennung benutzeragent "
     "nomutilisateur identifiantconnexion identifiantappareil identifiantsession pseudo pseudonyme agentutilisateur "
     "nomeusuario nomeutilizador idsessao iddispositivo apelidousuario agenteusuario identificadordispositivo "
     "kullaniciadi oturumid cihazid cihazkimligi takmaad rumuz tarayicikimligi oturumkimligi cerezid"},
    {Category::OnlineIdentifier, Stand::Person, kText, "handle user usuario utilisateur identifiant kullanici rumuz mac"},
    {Category::OnlineIdentifier, Stand::Whole, kText | kOther, "mac"},

    // Behaviour: what somebody does, likes or looks for.
    {Category::Behavioral, Stand::End, kWords,
     "searchquery searchterm searchterms searchtext searchphrase searchhistory searchkeywords browsinghistory browserhistory watchhistory viewinghistory "
     "listeninghistory purchasehistory orderhistory readinghistory clickstream clickhistory visitedurl visitedurls visitedpages lastvisitedpage "
     "lastviewedpage interests hobbies hobby lifestyle lifestylesegment personality personalitytype shoppinghabits browsinghabits habits userbehavior userbehaviour "
     "favoritegenres favouritegenres favoritebrands favoritecategory favoritecategories shoppingpreferences viewedproducts recentlyviewed "
     "callhistory chathistory activityhistory movementprofile politicalads psychographicprofile drinkinghabits "
     "terminobusqueda consultabusqueda historialbusqueda historialbusquedas historialnavegacion historialcompras intereses aficiones paginasvisitadas "
     "habitoscompra habitos comportamientousuario preferenciascompra productosvistos historialllamadas "
     "suchbegriff suchbegriffe suchanfrage suchverlauf suchhistorie browserverlauf surfverlauf interessen hobbys kaufverhalten kaufhistorie bestellhistorie "
     "nutzungsverhalten vorlieben gewohnheiten besuchteseiten lebensstil surfverhalten freizeitinteressen klickverhalten "
     "termerecherche requeterecherche historiquerecherche historiquerecherches historiquenavigation historiqueachats historiqueappels centresinteret "
     "interets loisirs pagesvisitees habitudesachat habitudes comportementachat "
     "termobusca termopesquisa historicobusca historicobuscas historiconavegacao historicocompras interesses habitoscompra passatempos paginasvisitadas "
     "comportamentocompra historicopesquisa "
     "aramagecmisi aramaterimi aramasorgusu gezinmegecmisi alisverisgecmisi satinalmagecmisi izlemegecmisi ilgialanlari ilgialani hobiler hobileri "
     "aliskanliklar ziyaretedilensayfalar tuketimaliskanliklari davranisprofili"},
    {Category::Behavioral, Stand::End, kAny & ~kBool & ~kTime,
     "behaviorscore behaviourscore behavioralscore engagementscore churnprobability churnscore churnrisk purchasepropensity propensityscore "
     "riskappetite loyaltyscore puntuacioncomportamiento verhaltensscore scorecomportement pontuacaocomportamento davranispuani"},
    {Category::Behavioral, Stand::Person, kWords, "preferences preferencias praeferenzen praferenzen preferences tercihler tercihleri likes dislikes"},

    // Money of a person. Amounts and balances are not.
    {Category::Financial, Stand::End, kDigits,
     "iban ibannumber ibanno bankaccount bankaccountnumber bankaccountno bankacct accountnumber accountno acctno acctnumber accountnum routingnumber banksortcode "
     "bankroutingnumber abanumber bankdetails bankinfo clabe ibanhash "
     "cuentabancaria numerocuenta numerocuentabancaria cuentacorriente cuentacliente datosbancarios "
     "kontonummer kontonr bankverbindung bankkonto ibannummer bankdaten bankkontonummer "
     "numerocompte numerocomptebancaire comptebancaire coordonneesbancaires rib numcompte "
     "contabancaria numeroconta contacorrente numerocontabancaria dadosbancarios nib chavepix "
     "hesapno hesapnumarasi bankahesapno bankahesabi ibanno bankahesapnumarasi"},
    {Category::Financial, Stand::Anywhere, kText | kNumber | kOther,
     "salary basesalary annualsalary monthlysalary grosssalary netsalary wage wages annualincome monthlyincome householdincome yearlyincome grossincome netincomepersonal "
     "creditscore creditrating ficoscore fico networth payrate hourlywage netpay grosspay takehomepay bankruptcy bankruptcies personalincome familyincome "
     "salario sueldo sueldobase salariobruto salarioneto ingresosanuales ingresosmensuales ingresomensual ingresoanual nomina patrimonio puntajecredito "
     "puntuacioncredito ingresosfamiliares "
     "gehalt bruttogehalt nettogehalt grundgehalt jahresgehalt monatsgehalt lohn stundenlohn bruttolohn nettolohn einkommen jahreseinkommen monatseinkommen "
     "haushaltseinkommen nettoeinkommen vermoegen vermogen schufascore schufa bonitaet bonitat bonitaetsscore kreditwuerdigkeit "
     "salaire salairebrut salairenet salairebase salaireannuel revenuannuel revenusannuels revenumensuel revenufoyer patrimoine scorecredit tauxhoraire "
     "salariobase salarioliquido rendamensal rendaanual rendafamiliar rendimentoanual pontuacaocredito scorecredito "
     "maas maasi brutmaas netmaas aylikgelir yillikgelir hanegeliri kredinotu kredipuani kredinot"},
    {Category::Financial, Stand::Person, kText | kNumber | kOther,
     "income bonus compensation pension debt debts assets hourlyrate payscale stipend ingresos ingreso renta pensionsanspruch rente schulden revenu revenus "
     "prime dettes retraite renda rendimento dividas aposentadoria gelir geliri ucret ucreti borc prim ikramiye commissionpct"},

    // Health.
    {Category::Health, Stand::Anywhere, kAny,
     "diagnosis diagnoses diagnosiscode diagnosisdescription icdcode icd9 icd10 icd10code icd icd9code snomedcode medication medications currentmedications allergy allergies symptom "
     "symptoms bloodtype bloodgroup bloodpressure systolic diastolic heartrate restingheartrate bmi bodymassindex bloodglucose glucoselevel bloodsugar "
     "cholesterol hba1c hivstatus hiv pregnant pregnancy pregnancystatus vaccinationstatus vaccinated immunization immunizations smoker smokingstatus "
     "alcoholuse alcoholconsumption disability disabilities disabilitystatus disabilitytype chroniccondition chronicconditions medicalcondition medicalconditions medicalhistory "
     "medicalrecordnumber medicalrecordno mrn medicalnotes clinicalnotes healthstatus healthcondition healthconditions healthinsurancenumber "
     "healthinsuranceid healthcardnumber mentalhealth therapynotes mentalhealthscore painscore healthscore comorbidities comorbidity causedeath sickleave sickleavereason sickdays medicalleave covidstatus covidtestresult "
     "oxygensaturation spo2 bodytemperature insulindose lastmenstrualperiod menstrualcycle substanceabuse familymedicalhistory surgicalhistory "
     "diagnosticomedico diagnosticoprincipal alergias alergia gruposanguineo tiposangre tiposanguineo presionarterial enfermedad enfermedades enfermedadcronica discapacidad "
     "embarazada embarazo historialmedico historiaclinica sintomas fumador fumadora antecedentesmedicos medicacion estadosalud bajamedica numeroafiliacionsalud "
     "frecuenciacardiaca "
     "diagnosen allergien allergie blutgruppe blutdruck krankheit krankheiten vorerkrankung vorerkrankungen behinderung schwerbehinderung "
     "behinderungsgrad gradbehinderung schwanger schwangerschaft medikation medikamente krankenversicherungsnummer versichertennummer krankenversichertennummer krankenkasse "
     "symptome raucher krankheitstage krankmeldung impfstatus herzfrequenz blutzucker krankengeschichte gesundheitszustand chronischeerkrankung "
     "groupesanguin tensionarterielle maladie maladies maladiechronique antecedentsmedicaux handicap enceinte symptomes fumeur statutvaccinal arretmaladie "
     "dossiermedical etatsante traitementmedical frequencecardiaque numerosecuritesante glycemie "
     "pressaoarterial doenca doencas doencacronica deficiencia gestante gravida medicacao fumante historicomedico prontuario numeroprontuario "
     "estadosaude frequenciacardiaca atestadomedico gravidez cartaosaude numeroutente "
     "teshis tani alerji alerjiler alerjileri kangrubu tansiyon hastalik hastaliklar kronikhastalik kronikhastaliklar engellilik engeldurumu "
     "engelorani hamile hamilelik sigarakullanimi sigaraiciyor asidurumu saglikdurumu tahlilsonucu nabiz ilackullanimi raporlugun"},
    {Category::Health, Stand::End, kAny & ~kTime & ~kBool, "diagnose diagnostico diagnosticos diagnostics diagnosticmedical diagnosticpatient"},
    {Category::Health, Stand::Person, kAny & ~kTime,
     "weight weightkg weightlbs bodyweight height heightcm heightin bodyheight treatment treatments prescription prescriptions procedure labresult labresults testresult dosage vaccine diagnostic "
     "surgery surgeries condition peso pesokg altura estatura tratamiento gewicht gewichtkg koerpergewicht groesse grosse groessecm koerpergroesse "
     "behandlung poids poidskg taille taillecm traitement tratamento kilo boy boyu kilosu tedavi ilac ilaclar medicamento medicamentos medicaments engelli"},

    // Genes.
    {Category::Genetic, Stand::Anywhere, kAny & ~kTime,
     "dna dnasequence dnaprofile genome genomic genomicdata genotype genotypes genetic geneticmarker geneticmarkers genetictest geneticrisk geneticrisks geneticprofile genetics "
     "allele alleles haplogroup haplotype karyotype brca brca1 brca2 exome exomesequence rsid snp snps ancestrycomposition ancestry genevariant genevariants "
     "genesequence mutationstatus carrierstatus hereditarydisease polygenicriskscore polygenicscore "
     "adn perfiladn perfilgenetico marcadorgenetico marcadoresgenetico pruebagenetica genetico genetica genoma genotipo secuenciaadn haplogrupo cariotipo "
     "genom genomsequenz genotyp dnsprobe dnssequenz dnaprofil erbgut gentest gentestergebnis genetischesprofil genprofil genmarker genetische genetischer genetisches erbkrankheit erbkrankheiten "
     "haplogruppe abstammung "
     "profilgenetique testgenetique genetique genetiques marqueurgenetique sequenceadn haplogroupe caryotype maladiehereditaire "
     "testegenetico examegenetico sequenciadna doencahereditaria ascendenciagenetica variantegenetica "
     "genotip genetikprofil genetiktest genetikveri genetik genetikhastalik dnadizisi gendizilimi haplogrup karyotip"},

    // Body measured to recognise somebody.
    {Category::Biometric, Stand::Anywhere, kAny & ~kTime,
     "biometric biometrics biometricdata biometrictemplate biometrichash biometricid fingerprinttemplate fingerprintdata fingerprintimage fingerprintscan "
     "faceid faceencoding faceembedding facetemplate facevector facialrecognition facialfeatures facescan faceprint facedata facegeometry facialgeometry faceimage "
     "irisscan iristemplate iriscode irisdata retinascan retinalscan voiceprint voicesample voicetemplate voicebiometric voiceembedding palmprint palmvein "
     "palmscan handgeometry gaitpattern gaitsignature earprint keystrokedynamics veinpattern thumbprintimage "
     "huelladactilar huellasdactilares plantillafacial reconocimientofacial biometrico biometrica biometricos huellavoz escaneoiris plantillabiometrica vectorfacial "
     "fingerabdruck fingerabdruecke fingerabdrucke gesichtserkennung gesichtsvektor gesichtsscan stimmabdruck biometrie biometrische biometrisches biometrischer "
     "handvenenmuster irismuster stimmprofil gesichtsbild gesichtsdaten "
     "empreintedigitale empreintesdigitales empreintevocale reconnaissancefaciale biometrique biometriques scaniris gabaritfacial gabaritbiometrique imagefaciale "
     "impressaodigital impressoesdigitais biometria reconhecimentofacial impressaovocal templatebiometrico escaneamentoiris vetorfacial digitalpolegar "
     "parmakizi parmakizisablonu yuztanima yuzsablonu iristarama sesizi avucizi avucicidamar biyometrik yuzvektoru retinatarama yuzverisi"},
    {Category::Biometric, Stand::Person, kAny & ~kTime & ~kBool,
     "fingerprint fingerprints thumbprint leftthumb rightthumb leftindex rightindex iris retina gait huella empreinte empreintes parmak voice face"},

    // Where somebody is.
    {Category::Location, Stand::Geo, kAny & ~kTime & ~kBool,
     "latitude longitude lat lng lon latlng latlong latlon longlat geolocation geoloc geopoint geohash geocoordinates gps gpscoordinates gpscoords gpslocation gpsposition gpslat gpslng gpslatitude gpslongitude "
     "coordinates coords lastlocation currentlocation homelocation userlocation locationhistory lastknownlocation lastposition "
     "zip zipcode zip4 postalcode postcode postalzip zippostal "
     "latitud longitud ubicacionactual ultimaubicacion geolocalizacion coordenadas coordenadasgps codigopostal cp "
     "breitengrad laengengrad langengrad laenge gpskoordinaten gpsposition standortverlauf aufenthaltsort letzterstandort plz postleitzahl koordinaten bewegungsprofil "
     "geolocalisation localisationgps positiongps coordonneesgps dernierelocalisation dernierposition dernierepositiongps codepostal "
     "localizacaoatual ultimalocalizacao geolocalizacao cep codigopostal "
     "enlem boylam sonkonum konumbilgisi konumgecmisi postakodu koordinat koordinatlar gpskonumu"},
    {Category::Location, Stand::Person, kWords, "location whereabouts standort position konum konumu ubicacion localisation localizacao"},

    // Protected characteristics.
    {Category::DemographicProtected, Stand::Anywhere, kAny,
     "gender genderidentity sex ethnicity ethnic ethnicgroup ethnicorigin ethnicbackground religion religiousaffiliation religiousbelief religiousbeliefs sexualorientation sexuality pronouns "
     "maritalstatus marital civilstatus nationality citizenship countrybirth placebirth birthplace birthcountry birthcity citybirth immigrationstatus "
     "politicalparty politicalaffiliation politicalviews politicalopinion politicalopinions partyaffiliation unionmember unionmembership tradeunion veteranstatus veteran militarystatus "
     "nativelanguage mothertongue skincolor skintone indigenous indigenousstatus caste transgender "
     "sexo etnia grupoetnico origenetnico religion estadocivil nacionalidad orientacionsexual lugarnacimiento paisnacimiento ciudadnacimiento afiliacionpolitica "
     "afiliacionsindical identidadgenero lenguamaterna ideologiapolitica creencias "
     "geschlecht ethnie ethnischeherkunft konfession religionszugehoerigkeit religionszugehorigkeit familienstand staatsangehoerigkeit "
     "staatsangehorigkeit staatsbuergerschaft staatsburgerschaft nationalitaet nationalitat geburtsort geburtsland sexuelleorientierung gewerkschaft "
     "gewerkschaftsmitglied gewerkschaftszugehoerigkeit parteimitgliedschaft parteizugehoerigkeit muttersprache migrationshintergrund "
     "sexe ethnique origineethnique etatcivil situationfamiliale situationmatrimoniale nationalite lieunaissance paysnaissance villenaissance orientationsexuelle opinionpolitique "
     "opinionspolitiques appartenancesyndicale affiliationsyndicale languematernelle citoyennete "
     "raca racacor etniaindigena religiao nacionalidade naturalidade orientacaosexual filiacaopartidaria filiacaosindical localnascimento paisnascimento "
     "identidadegenero linguamaterna corpele "
     "cinsiyet cinsiyeti etnikkoken medenihal medenihali medenidurum medenidurumu uyruk uyrugu dogumyeri cinselyonelim siyasigorus siyasigorusu sendikauyeligi sendika "
     "anadili mezhep tabiiyet dinibilgi"},
    {Category::DemographicProtected, Stand::Anywhere, kBirth,
     "datebirth dob birthdate birthday birthyear yearbirth birthmonth monthbirth dateborn birthdt "
     "fechanacimiento fecnacimiento fechanac anionacimiento anonacimiento geburtsdatum geburtstag geburtsjahr gebdatum datenaissance anneenaissance "
     "datanascimento dtnascimento datanasc anonascimento dogumtarihi dogumyili dogumtarih"},
    {Category::DemographicProtected, Stand::Person, kBirth,
     "age ageyears ageinyears agegroup agerange agebracket born edad edadanios grupoedad alter altersgruppe idade faixaetaria nascimento nacimiento naissance "
     "trancheage yas yasi yasgrubu"},
    {Category::DemographicProtected, Stand::Person, kText | kNumber | kOther,
     "race faith belief tribe orientation raza credo genero rasse herkunft religionen glaube genre civilite origine croyance cor crenca irk irki din dini koken"},
    // Short forms that are one word.
    {Category::Contact, Stand::End, kDigits, "phn tfno tlf tlfno tfn fone fono telres telcom telcel telephonefixe telfixe celularno"},
    {Category::Contact, Stand::End, kWords,
     "nomcliente apepat apemat apellidopaterno apellidomaterno givennames familynames mailadr emailadr aptno strnr strhausnr direnvio direntrega dirfiscal dirpostal"},
    {Category::OnlineIdentifier, Stand::End, kNoId,
     "usrname uname uastring fingerprintid nomusuario ipusuario ighandle fbid facebookurl twitterurl instagramurl linkedinprofileurl githuburl"},
    {Category::Behavioral, Stand::End, kWords, "pagesvisited"},
    {Category::Financial, Stand::Person, kDigits, "abarouting cbu"},
    {Category::Health, Stand::End, kAny & ~kTime, "glucose a1c nhsnumber nhsno primarydx secondarydx admittingdx dischargedx"},
    {Category::Health, Stand::Person, kAny & ~kTime, "rx meds weightlb therapy labvalue treatmentplan careplan ordonnance antecedents"},
    {Category::Biometric, Stand::Anywhere, kAny & ~kTime, "facialtemplate huelladigital"},
    {Category::Location, Stand::Geo, kAny & ~kTime & ~kBool, "codpostal codpost plzort"},
    {Category::Health, Stand::End, kAny, "vaccinationdate"},
    {Category::DemographicProtected, Stand::End, kBirth, "bdate yob gebdat gebtag gebdatum"},
    {Category::DemographicProtected, Stand::End, kAny & ~kTime, "marstat geschl staatsang famstand"},
    {Category::DemographicProtected, Stand::Person, kBirth, "ddn dtarihi"},
    {Category::Contact, Stand::Person, kWords, "vname nname"},
});

constexpr auto kAboutTailsData = std::to_array<std::string_view>({
    "id", "ids", "fk", "uuid", "count", "counts", "counter", "total", "num", "type", "types", "kind", "tipo", "typ", "tip", "turu", "art",
    "verified", "confirmed", "valid", "validated", "verification", "status", "state", "flag", "enabled", "disabled", "required", "optional", "allowed",
    "visible", "hidden", "public", "private_flag", "format", "template", "subject", "body", "domain", "provider", "carrier", "source", "sources", "model",
    "brand", "version", "length", "size", "min", "max", "range", "band", "grade", "level", "avg", "average", "mean", "median", "sum", "pct", "percent",
    "rate", "ratio", "limit", "frequency", "optin", "optout", "consent", "sent", "opened", "clicked", "bounced", "at", "on", "by", "updated", "changed",
    "created", "modified", "deleted", "expires", "expiry", "date", "dates", "time", "timestamp", "ts", "fecha", "datum", "data", "tarih", "tarihi",
    "field", "column", "label", "key", "position", "index", "rank", "order", "sort", "weight", "score", "code", "url", "uri", "link", "page", "view",
    "list", "category", "categories", "class", "group", "currency", "unit", "units", "queue", "policy", "setting", "settings", "config", "required",
    "verificado", "verifie", "verificada", "dogrulandi", "bestaetigt", "geprueft", "cantidad", "anzahl", "nombre_total", "sayisi", "estado", "etat",
    "durumu", "moneda", "waehrung", "devise", "moeda", "parabirimi", "book", "center", "centre", "budget", "plan", "scale", "history_count", "step", "grid", "cap", "target", "scenes", "horario", "metadata",
});

constexpr auto kAskingHeadsData = std::to_array<std::string_view>({
    "has", "had", "can", "should", "must", "may", "needs", "need", "requires", "require", "allow", "allows", "show", "hide", "enable", "disable",
    "num", "count", "total", "max", "min", "avg", "average", "sum", "send", "use", "uses", "validate", "verify", "opt", "accepts", "supports", "default",
    "tiene", "tem", "hat", "anzahl", "nb", "nbre", "cantidad", "qtd", "enviar", "median", "mean",
});

constexpr auto kKeepingTailsData = std::to_array<std::string_view>({
    "primary", "secondary", "main", "alt", "alternate", "alternative", "other", "home", "work", "office", "business", "personal", "private", "mobile",
    "hash", "hashed", "sha", "md", "encrypted", "enc", "cipher", "raw", "text", "txt", "value", "val", "string", "str", "old", "new", "current",
    "previous", "prev", "latest", "last", "first", "normalized", "normalised", "canonical", "lower", "lowercase", "upper", "clean", "cleaned", "full", "local", "json", "list",
    "number", "no", "nr", "nbr", "num", "address", "backup", "recovery", "billing", "shipping", "contact", "hex", "md5", "kanji", "kana", "ascii", "en", "native",
    "principal", "secundario", "secundaria", "privat", "geschaeftlich", "dienstlich", "pro", "perso", "professionnel", "personnel", "pessoal", "comercial",
    "trabajo", "casa", "kisisel", "is", "ev", "alternativo", "particular", "fijo", "movil", "residencial", "electronico", "electronica", "actual", "atual",
});

constexpr auto kTraitTailsData = std::to_array<std::string_view>({
    "code", "cd", "cod", "cde", "flag", "flg", "fl", "ind", "indicator", "yn", "status", "sts", "stat", "desc", "descr", "description", "detail", "details", "data", "info",
});

constexpr auto kNotPostalData = std::to_array<std::string_view>({
    "ip", "ipv", "mac", "web", "website", "wallet", "memory", "contract", "server", "host", "network", "url", "site", "bitcoin", "btc", "eth", "token",
    "smart", "email", "mail", "proxy", "gateway", "dns", "subnet", "port", "bus", "callback", "remote", "correo", "courriel", "eposta", "electronique",
    "eletronico", "electronica", "sokoban", "crypto", "coin", "blockchain", "peer", "register", "speicher",
});

constexpr auto kPersonWordsData = std::to_array<std::string_view>({
    "user", "account", "member", "customer", "client", "admin", "employee", "emp", "staff", "person", "people", "subscriber", "operator", "driver", "patient",
    "student", "contact", "applicant", "candidate", "borrower", "guest", "passenger", "attendee", "volunteer", "donor", "citizen", "resident", "voter",
    "teacher", "doctor", "physician", "nurse", "recipient", "lead", "prospect", "beneficiary", "household", "participant", "respondent", "worker", "crew",
    "faculty", "visitor", "profile", "human", "hr", "payroll", "buyer", "seller", "owner", "dependent", "child", "children", "parent", "guardian",
    "spouse", "family", "individual", "inmate", "victim", "offender", "witness", "suspect", "personnel", "salesperson", "representative", "tenantuser",
    "author", "actor", "pupil", "instructor", "lawyer", "policyholder", "insured", "claimant", "prisoner", "detainee", "cust", "emp", "sender", "payee", "friend", "relative", "signer", "colleague", "caregiver",
    "usuario", "cliente", "empleado", "persona", "paciente", "alumno", "estudiante", "contacto", "trabajador", "socio", "huesped", "pasajero",
    "ciudadano", "vendedor", "asegurado", "candidato", "conductor", "medico", "profesor", "beneficiario", "destinatario", "remitente", "votante", "empleada", "nino",
    "benutzer", "nutzer", "kunde", "mitarbeiter", "patienten", "schueler", "schuler", "kontakt", "mitglied", "bewerber", "gast", "gaeste", "buerger",
    "angestellte", "teilnehmer", "versicherte", "fahrer", "arzt", "aerzte", "lehrer", "einwohner", "spender", "empfaenger", "absender", "waehler", "beschaeftigte", "personal",
    "utilisateur", "employe", "personne", "eleve", "etudiant", "membre", "adherent", "salarie", "candidat", "passager", "citoyen", "assure", "medecin",
    "conducteur", "beneficiaire", "electeur", "destinataire", "expediteur", "enseignant", "donneur", "locataire", "clientele",
    "funcionario", "pessoa", "aluno", "estudante", "contato", "membro", "passageiro", "colaborador", "hospede", "cidadao", "motorista", "segurado",
    "utente", "eleitor", "doador", "trabalhador", "utilizador",
    "kullanici", "musteri", "calisan", "personel", "kisi", "hasta", "ogrenci", "uye", "aday", "misafir", "yolcu", "vatandas", "sigortali", "surucu",
    "doktor", "hekim", "ogretmen", "veli", "bagisci", "abone", "isci",
});

constexpr auto kNotOfPersonData = std::to_array<std::string_view>({
    "user", "account", "profile", "hr", "payroll", "personal", "personel", "human", "admin", "family", "lead", "client", "operator", "crew", "staff",
    "socio", "usuario", "cliente", "konto", "kontakt", "contact", "benutzer", "utilisateur", "kullanici", "abone", "people", "member", "contato", "contacto",
});

constexpr auto kThingWordsData = std::to_array<std::string_view>({
    "type", "status", "category", "group", "segment", "role", "order", "invoice", "product", "team", "plan", "tier", "level", "tag", "class", "event",
    "file", "document", "campaign", "report", "region", "channel", "permission", "setting", "template", "department", "title", "position", "skill",
    "list", "country", "office", "store", "license", "tipo", "categoria", "estado", "grupo", "rol", "pedido", "factura", "segmento", "perfiltipo", "typ",
    "gruppe", "kategorie", "rolle", "bestellung", "rechnung", "abteilung", "categorie", "groupe", "commande", "facture", "statut", "departement",
    "papel", "fatura", "turu", "tur", "grup", "rolu", "siparis", "fatura", "kategori", "tuerleri", "turleri", "departman", "badge", "reward", "feature",
    "chart", "ledger", "gl", "ad", "ads", "metric", "stat", "stats", "queue", "workflow", "project", "app", "package", "fund", "stage", "pipeline",
});

constexpr auto kHeadFirstWordsData = std::to_array<std::string_view>({
    "tipo", "categoria", "estado", "grupo", "rol", "pedido", "factura", "segmento", "perfiltipo", "categorie", "groupe", "commande", "facture", "statut",
    "departement", "papel", "fatura", "type", "status", "list",
});

constexpr auto kAccountWordsData = std::to_array<std::string_view>({"account", "profile", "lead", "hr", "payroll", "konto", "family", "admin", "representative", "owner"});

constexpr auto kPlaceWordsData = std::to_array<std::string_view>({
    "store", "shop", "warehouse", "company", "branch", "office", "venue", "hotel", "restaurant", "supplier", "vendor", "airport", "station", "school",
    "hospital", "city", "country", "region", "place", "poi", "landmark", "building", "facility", "depot", "bank", "clinic", "organisation", "organization",
    "stop", "port", "university", "museum", "park", "site", "merchant", "manufacturer", "brewery", "stadium", "theater", "theatre", "county", "state", "postalcode", "zip",
    "tienda", "almacen", "empresa", "sucursal", "proveedor", "ciudad", "pais", "estacion", "escuela", "aeropuerto", "oficina", "lugar", "edificio",
    "filiale", "lager", "firma", "laden", "flughafen", "lieferant", "stadt", "bahnhof", "haltestelle", "geschaeft", "gebaeude", "land", "niederlassung", "unternehmen",
    "magasin", "entrepot", "entreprise", "agence", "fournisseur", "ville", "gare", "aeroport", "ecole", "lieu", "batiment", "societe", "pays",
    "loja", "armazem", "fornecedor", "cidade", "filial", "estacao", "aeroporto", "escola", "fabrica",
    "magaza", "sirket", "depo", "sube", "tedarikci", "sehir", "havalimani", "okul", "istasyon", "bina", "ulke", "bayi", "il", "ilce",
    "cell", "tower", "sensor", "weather", "circuit", "track", "stadion", "estadio", "stade",
});
// clang-format on

}  // namespace

constinit const std::span<const NameRules> name_rules = kNameRulesData;
constinit const std::span<const std::string_view> about_tails = kAboutTailsData;
constinit const std::span<const std::string_view> asking_heads = kAskingHeadsData;
constinit const std::span<const std::string_view> keeping_tails = kKeepingTailsData;
constinit const std::span<const std::string_view> trait_tails = kTraitTailsData;
constinit const std::span<const std::string_view> not_postal = kNotPostalData;
constinit const std::span<const std::string_view> person_words = kPersonWordsData;
constinit const std::span<const std::string_view> not_of_person = kNotOfPersonData;
constinit const std::span<const std::string_view> thing_words = kThingWordsData;
constinit const std::span<const std::string_view> head_first_words = kHeadFirstWordsData;
constinit const std::span<const std::string_view> account_words = kAccountWordsData;
constinit const std::span<const std::string_view> place_words = kPlaceWordsData;

}  // namespace schemaward::privacy
