// The lexicon's text; see lexicon.h for the form of a line. Source: written for this project from
// general knowledge of business, administration, science and sport vocabulary and of how columns
// are abbreviated; no other word list was copied. Words are folded and singular. A set is kept
// small on purpose: a word of many meanings stands in several sets, not in one large one.

#include "text/lexicon.h"

namespace schemaward::text {

std::string_view LexiconText() {
  return R"lexicon(
stop words of questions and requests
- a an the this that these those there here it its they them their he she his her him we us our you your i me my
- of in on at for to from by with without within into onto out off per between among about above below over under up down as than then
- and or not nor but if so also both either neither else only just even still yet too very
- is are was were be been being am do does did doing done has have had having can could will would shall should may might must
- what which how whether s t d ll ve re don doesn isn e g etc
- much many more most less least few fewer fewest any some all each every no none other another same such own
- show list give find return tell get display print fetch retrieve select provide see look let please want need know help
- different distinct unique respectively corresponding along together using used use based according whose
- table column row data database record field schema query
spellings and abbreviations
~ organization organisation org
~ organizational organisational
~ enrollment enrolment
~ enroll enrol
~ color colour
~ center centre ctr
~ program programme
~ license licence
~ catalog catalogue
~ theater theatre
~ cancel cancelled canceled
~ favorite favourite
~ behavior behaviour
~ labor labour
~ gray grey
~ customer cust
~ client clnt
~ user usr
~ account acct acc
~ address addr
~ amount amt
~ quantity qty
~ number num no nbr nr
~ count cnt
~ identifier id ident
~ description desc descr dsc
~ category cat categ
~ product prod prd
~ inventory inv
~ invoice inv invc
~ employee emp empl
~ department dept dep
~ manager mgr mngr
~ management mgmt mgt
~ message msg
~ reference ref
~ transaction txn trx tran
~ payment pmt pymt
~ purchase po purch
~ order ord
~ shipment shpmt shp
~ warehouse whse wh
~ supplier supp splr
~ vendor vend vndr
~ telephone phone tel ph
~ mobile cell cellphone
~ email mail
~ date dt
~ timestamp ts
~ time tm
~ year yr
~ month mon mth
~ week wk
~ day dy
~ hour hr
~ minute min
~ second sec
~ average avg mean
~ maximum max
~ minimum min
~ percent pct percentage
~ standard std
~ temporary tmp temp
~ temperature temp
~ document doc
~ development dev
~ configuration config cfg conf
~ parameter param
~ attribute attr
~ property prop
~ object obj
~ status stat sts
~ statistic stat
~ state st
~ street st
~ country ctry cntry
~ location loc
~ position pos
~ latitude lat
~ longitude lon lng long
~ language lang
~ region reg
~ district dist
~ distance dist
~ destination dest
~ source src
~ origin orig
~ original orig
~ previous prev
~ current curr cur
~ currency curr cur ccy
~ balance bal
~ budget bdgt
~ revenue rev
~ revision rev
~ version ver
~ sequence seq
~ index idx
~ image img
~ picture pic
~ information info
~ administrator admin
~ authorization authorisation auth
~ authentication auth
~ application app
~ environment env
~ hardware hw
~ software sw
~ department division
~ certificate cert
~ certification cert
~ qualification qual
~ education edu
~ university univ uni
~ student stu stud
~ professor prof
~ teacher tchr
~ course crs
~ semester sem
~ graduate grad
~ government govt gov
~ company co
~ corporation corp
~ business biz bus
~ agreement agrmt
~ contract contr
~ apartment apt
~ building bldg
~ room rm
~ floor flr
~ vehicle veh
~ registration reg regn
~ medicine med
~ medical med
~ patient pt pat
~ diagnosis diag dx
~ prescription rx
~ procedure proc
~ process proc
~ hospital hosp
~ laboratory lab
~ specification spec
~ measurement measure
~ weight wt
~ height ht
~ volume vol
~ unit uom
~ detail dtl det
~ header hdr
~ line ln
~ history hist
~ summary summ
~ population pop
~ birthdate dob
~ social ssn
~ television tv
~ information info
~ category ctg
~ question qn
~ answer ans
~ discount disc
~ price prc
~ calculation calc
~ estimate est
~ approximate approx
~ delivery dlvry dlv
~ preference pref
~ permission perm
~ service svc srv
~ server srv
~ request req
~ requirement req
~ response resp
~ error err
~ exception exc
~ total tot
~ value val
~ required reqd
~ first fst
~ last lst
~ middle mid
~ zip postal postcode zipcode
synonyms: places
= country nation
= city town municipality
= state province
= region area zone territory
= district borough ward
= location place site
= venue stadium arena
= address street residence
= capital headquarters
= continent region
= postcode zip postal
= border boundary neighbor
= hometown birthplace
synonyms: people and work
= person people human individual
= employee staff worker personnel
= customer client buyer shopper consumer
= customer user
= user member account
= subscriber member
= vendor supplier seller
= company firm corporation enterprise business
= company organization
= organization institution association agency
= department division unit
= manager boss supervisor
= leader head chief
= job position role occupation profession
= employer company
= salary wage pay compensation payroll
= bonus incentive
= hire recruit employ
= employment hire job
= terminate fire dismiss
= leave absence vacation
= skill competence expertise
= candidate applicant contestant
= participant attendee
= visitor guest attendee
= friend friendship buddy
= relationship relation
= spouse husband wife
= parent mother father
= child kid
= owner holder proprietor
= author writer
= teacher instructor professor lecturer tutor
= teach lecture instruct
= student pupil learner
= student highschooler
= doctor physician surgeon
= nurse caregiver
= driver racer
= passenger traveler
= player athlete sportsman
= singer artist musician vocalist performer
= actor actress cast star
= director filmmaker
= conductor maestro
= politician representative
= tenant renter lessee
= landlord lessor
= agent broker representative
= sex gender
= nationality citizenship country
= population inhabitant resident citizen people
= birth birthday birthdate born
= age birthdate
= death die dead
= death casualty
= kill death casualty
= injury injured hurt wound
= title name
= title headline
= nickname alias
= surname lastname
= forename firstname
= contact phone email
= phone telephone mobile
= mobile phone
= password secret credential
= login signin
= session login
synonyms: commerce and money
= store shop outlet
= store branch
= product item good merchandise article
= product sku
= order purchase
= buy purchase order
= bought purchase order
= sale revenue
= sell sale
= sold sale
= revenue income turnover earning
= profit margin earning
= cost expense
= cost price
= price amount
= price cost charge fee fare
= fee charge
= spend expense amount
= amount total sum value
= quantity amount count
= payment transaction
= pay payment paid
= invoice bill billing
= bill charge
= receipt invoice
= refund return reimbursement
= refund chargeback
= transfer transaction
= credit loan
= loan debt mortgage
= deposit payment
= account bank
= balance amount
= currency money
= budget allocation
= fund funding grant
= investment portfolio
= share stock equity
= tax vat duty
= discount coupon promotion voucher
= coupon voucher
= campaign promotion advertisement marketing
= advertisement ad
= cart basket
= wishlist favorite
= subscription membership plan
= renewal renew
= churn cancel cancellation
= review rating feedback
= comment remark note
= comment text
= stock inventory
= inventory warehouse
= shipment shipping delivery dispatch
= ship shipment shipping
= carrier courier shipper
= package parcel
= import procurement
= contract agreement
= claim settlement
= policy insurance
= lead prospect
= opportunity deal
= quote quotation estimate
= forecast prediction projection
= target goal quota
= supplier procurement
= brand make
= manufacturer maker producer brand
= make maker manufacturer
= make build produce manufacture
= built make maker
= produce production
= production manufacture
= asset equipment device
= part component
= material ingredient
= warranty guarantee
= ticket case issue
= problem fault issue defect
= bug defect issue
= complaint grievance
= task todo assignment
= project initiative
= milestone deadline
= meeting appointment
= booking reservation
= reserve reservation booking
= appointment booking visit
= rental rent lease borrow
= rented rental
= copy inventory stock
= format type
= gross revenue
= net profit
= overdue due
= resume cv
= applicant candidate
= courier carrier shipper
= vehicle fleet
= consumption usage
= donor contributor
= donation contribution gift
= charity nonprofit
= ingredient component
= chargeback dispute refund
= onboarding signup
= headcount employee
= payee recipient beneficiary
= recipient receiver
= sender shipper
synonyms: descriptions and measures
= description detail
= description text
= note remark
= type kind category class sort
= category group
= genre category
= group team
= status state
= status condition
= code abbreviation
= abbreviation acronym
= id identifier code
= key id
= rank ranking position
= position standing
= score point
= score result grade
= result outcome
= rating score
= grade mark
= level tier
= percent share ratio rate
= average mean
= maximum highest
= minimum lowest
= size dimension
= area size surface
= area surface
= length duration
= duration runtime
= long length
= tall height
= high height
= wide width
= weigh weight
= heavy weight
= light weight
= fast speed
= slow speed
= deep depth
= far distance
= capacity seat
= temperature heat
= weather climate
= rain precipitation
= humidity moisture
= date time
= date day
= time hour
= year annual
= annual yearly
= quarter quarterly
= start begin beginning
= start open
= end finish
= end close
= expire expiration expiry
= create creation
= created inserted
= update modify change
= updated modified
= delete remove
= approve approval
= reject rejection
= schedule calendar
= period term
= frequency interval
= history log
= log audit
= event activity
= event happening
= version revision
= template form
= file attachment document
= attachment upload
= document paper
= image photo picture
= photo photograph
= url link website
= website site homepage
= page webpage
= click visit
= visit session
= message notification
= message chat
= alert notification alarm
= tag label keyword
= setting preference option
= permission privilege right
= role permission
= error failure exception
= failure outage incident
= accident incident crash
= sensor device
= measurement reading
= metric measure kpi
= official formal
= true actual
synonyms: education and science
= course class subject
= course lesson
= class section
= school college
= college university
= university campus
= degree diploma
= degree qualification
= enroll registration
= enroll enrollment
= enrollment registration
= register registration
= registration signup
= exam test examination
= test assessment
= assignment homework
= semester term
= transcript grade
= scholarship grant
= faculty department
= faculty instructor
= major discipline
= graduate graduation
= publication paper article
= article paper
= journal magazine
= book publication
= publisher press
= cite citation
= research study
= experiment trial
= library archive
= advisor mentor
synonyms: health
= hospital clinic
= patient case
= disease illness
= disease diagnosis
= symptom sign
= drug medicine medication
= prescription medication
= treatment therapy
= treatment procedure
= visit encounter admission
= admission stay
= allergy allergen
= vaccine vaccination immunization
= bloodtype blood
= specimen sample
= molecule compound
= therapy medication
= surgery operation
= insurer insurance
synonyms: travel and transport
= car vehicle automobile auto
= bike bicycle
= truck lorry
= plane airplane aircraft
= airline carrier
= airport terminal
= flight trip
= trip journey ride
= journey itinerary
= train railway rail
= boat ship vessel
= depart departure
= departure source origin
= depart source origin
= leave departure
= arrive arrival
= arrival destination
= arrive destination
= land arrival
= hotel accommodation lodging
= tour excursion
= route path
= station stop
= mileage distance
= horsepower power
= fuel gas
= accelerate acceleration
synonyms: media, sport and leisure
= movie film
= show program
= show series
= series episode
= television broadcast
= channel station network
= song track
= song music
= album record
= band group
= concert performance gig
= performance show
= play performance
= orchestra symphony
= museum gallery
= exhibition exhibit
= painting artwork
= artwork work
= circuit racetrack
= lap round
= superhero hero
= power ability
= upvote vote
= badge award
= post thread
= reply answer comment
= forum discussion
= reputation score
= game match
= match fixture
= team club squad
= coach trainer
= season year
= league division
= tournament competition championship
= contest competition
= race competition
= win victory
= won win winner
= winner champion
= win winner
= lose loss loser
= lost lose loser
= defeat loss
= award prize
= medal award
= vote ballot poll
= vote election
= election poll
= party political
= restaurant dining
= food dish meal
= menu dish
= drink beverage
= recipe dish
= pet animal
= breed species
= plant flower
= house home property
= property apartment building
= room bedroom
= furniture furnishing
= battle war fight
= army military troop
= weapon gun
= crime offense
= prison jail
= court case
= law legislation
= government political
= government administration
= religion faith church
= language speak
= speak language
= spoke language
= spoken language
= write author
= wrote author
= written author
= like favorite
= friend follow
one way: a word hints at what holds it
> asia africa europe america oceania antarctica -> continent region
> european asian african american -> continent country nationality
> english french german spanish chinese dutch italian russian japanese arabic portuguese hindi korean turkish polish swedish greek -> language nationality country
> usa uk france germany china japan india italy spain canada brazil mexico russia australia england poland sweden switzerland austria belgium turkey egypt korea argentina chile -> country nationality
> california florida ohio virginia arizona alabama alaska georgia colorado nevada oregon -> state
> paris london berlin tokyo rome madrid boston chicago houston seattle -> city
> dog cat puppy kitten -> pet animal
> male female man woman boy girl -> gender sex
> old older oldest young younger youngest elderly -> age birthdate birthday birth
> early earlier earliest late later latest recent recently newest new -> date time year
> heavy heavier heaviest light lighter lightest -> weight
> tall taller tallest short shorter shortest -> height
> cheap cheaper cheapest expensive costly -> price cost
> fast faster fastest slow slower slowest -> speed time
> long longer longest -> length duration
> large larger largest big bigger biggest -> size area population
> populous populated -> population
> rich richest poor poorest -> income salary
> popular -> rating rank
> best worst -> rating score rank
> highest lowest -> rank rating
> when -> date time year
> where -> location address city place
> who whom -> name person
> live living reside -> address city country
> located locate -> location address city
> found founded establish established -> year date founder
> independence independent -> year
> died deceased -> death
> married marriage -> spouse marital
> january february march april june july august september october november december -> month date
> monday tuesday wednesday thursday friday saturday sunday weekend -> day date
> today yesterday tomorrow -> date
> bachelor master phd doctorate -> degree program
> math mathematics physics chemistry biology history english -> subject course
> red blue green black white yellow -> color
> dollar euro pound yen -> price amount currency
> mile kilometer -> distance
> kilogram pound gram -> weight
> happy satisfied satisfaction -> rating feedback
> active inactive enabled disabled pending -> status
> late overdue delayed -> due status
> fullname firstname lastname -> name
> aircraft boeing airbus -> plane
> gmail yahoo -> email
> visa mastercard paypal -> payment card
> won lost draw -> result
> purchased buying -> purchase order
> bestseller bestselling -> sale order
> returned -> return
> shipped delivered undelivered -> shipment delivery status
> unpaid paid -> payment invoice status
> earn earned earning -> salary income revenue
> spent spending -> amount expense payment
> revenue -> sale amount price
> sale -> order invoice
> people -> name
words that compounds are made of
+ access action active actor actual add agent air alert alias all area art asset audit auth author back bank bar base bill bin block blog board body book box branch build building bus business
+ call camp card care case cash cell chain change channel chart check church city claim class clean client close cloud club code coin command comment company contact content control copy core cost course cover credit cross crew cup custom cut cycle
+ data date day deal debit deck delivery demand demo desk detail device dialog disk doctor door down draft drive driver drop duty
+ east edge email end engine enter entity entry event exam export extra eye face fact fail fair farm feed field file film filter final fire first fish flag fleet flight floor flow folder food foot force form forum frame free friend front fuel full fund
+ game gate gas gift girl global goal gold golf good grade grand grant graph green grid ground group guard guest guide hand hard head health heart heat help high hill hire history hit hold home horse hospital host hot hotel hour house hub human
+ idea image import income index info input insurance item job join journal jump junior key kind king kit lab label lake land lane language large last law layer lead league leave legal lesson letter level library life light limit line link list live load loan local location lock log long loss lot low
+ machine mail main major make man manager map mark market master match meal media medical meeting member memory menu message meta meter middle mile mobile mode model money month motor mountain move movie multi music
+ name nation network news next night node normal north note notice number nurse object offer office official oil online open option order origin other out output owner
+ pack page paid paint panel paper parent park part partner party pass past path patient pay payment people period person phone photo pick picture pilot pipe place plan plane plant play player plus point pool port position post power press price print private process product profile program project promo proof property public purchase push
+ quality quarter query question queue quick race rail rain random range rank rate rating read real record red region remote rent repair reply report request reserve rest result return review ride right ring risk river road role room root route row rule run
+ subcategory scrap
+ safe sale sample save scale scan schedule school schooler science score screen script sea search seat second section secure seed seller senior sensor serial series server service session set shape share sheet shelf shift ship shop short show side sign single site size skill small snap social software song sound source south space special speed sport staff stage stamp standard star start state station status step stock stop storage store story stream street strong student study style sub subject super supply support surface survey system
+ tag target task tax team tech term test text theme thread ticket time tip title toll tool top total touch tour town track trade traffic train transfer transit travel tree trend trial trip truck trust type under union unit update upload user
+ valid value vehicle video view visit visitor voice vote wage wait walk wall war ward ware watch water wave way weather web week weight west wheel white wide win wind window wine winter wire woman wood word work worker world write year young youth zone
)lexicon";
}

}  // namespace schemaward::text
